"""The published results behind ropewalk: what the papers print, and what follows from it."""

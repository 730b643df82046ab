"""Data -> Report: which pairs, which method for each, and all models at once."""

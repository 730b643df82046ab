"""From a pair of models to a comparison: pick the method, run it, check it, decide."""

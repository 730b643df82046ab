"""Each model was trained with five seeds, and every run was tested on the same 200 examples. Would the
difference hold with other seeds and other examples?

`shares` says where the uncertainty comes from, and `next` what to replicate.
"""

import numpy as np

import ropewalk as rw

rng = np.random.default_rng(0)
hard = rng.normal(0, 1, 200)
runs = {
    name: mean + hard + rng.normal(0, 0.15, (5, 1)) + rng.normal(0, 0.5, (5, 200))
    for name, mean in (("new", 0.3), ("old", 0.0))
}
found = rw.bayes.crossed(runs["new"], b=runs["old"])
low, high = found.posterior.hdi(0.95)
print(f"mean advantage {found.posterior.mean:.3f}, 95% HDI [{low:.3f}, {high:.3f}]")
print("replicate next:", found.next.better)

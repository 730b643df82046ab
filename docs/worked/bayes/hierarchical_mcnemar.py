"""On four tasks the models disagree on a few hundred examples each. On a new task, which model would make more of
the mistakes?

phi is A's share of the mistakes where exactly one model is wrong. If it is below 1/2, A is better.
"""

import ropewalk as rw

a_wrong, b_wrong = [63, 159, 175, 180], [66, 198, 149, 167]
fitted = rw.bayes.hierarchical_mcnemar(a_wrong, b_wrong)

phi = fitted.phi_next
low, high = phi.hdi(0.95)
print(f"phi on the next task {phi.mean:.3f}, 95% HDI [{low:.3f}, {high:.3f}]")
print(f"A is better on the next task: {phi.cdf(0.5):.3f}")

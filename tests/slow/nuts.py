"""The hierarchical t-test by sampling every one of its parameters: a cross-check of the exact posterior."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logit, stdtr

from ropewalk.bayes.chains import effective_size, normal_scores, r_hat
from ropewalk.bayes.edges import edges
from ropewalk.bayes.quadrature import regions
from ropewalk.errors import DataError, MethodError, OptionError, RopewalkError
from ropewalk.posterior import WeightedRegions
from ropewalk.posterior.base import Floats
from ropewalk.sums import Sums, as_sums


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NutsResult:
    """Draws from the posterior of the hierarchical t-test: an array (chains, draws) for each parameter.

    `mu` holds the mean advantage on every task, (chains, draws, tasks). Trust the draws where `divergences`
    is zero and `r_hat` is below 1.01.
    """

    mu0: Floats
    sigma0: Floats
    nu: Floats
    mu: Floats
    divergences: int

    @property
    def r_hat(self) -> float:
        """The largest split R-hat of mu0, sigma0 and nu, on the normal scores of their ranks."""
        return max(r_hat(normal_scores(x)) for x in (self.mu0, self.sigma0, self.nu))

    @property
    def effective_size(self) -> float:
        """How many independent draws these are worth, for that of mu0, sigma0 and nu that fares worst."""
        return min(effective_size(normal_scores(x)) for x in (self.mu0, self.sigma0, self.nu))

    def next_task(self, rope: float | Sequence[float]) -> WeightedRegions:
        """The next task: better, equivalent or worse, in both readings, with their Monte Carlo error."""
        low, high = edges(rope)
        better = stdtr(self.nu, (self.mu0 - high) / self.sigma0)
        worse = stdtr(self.nu, (low - self.mu0) / self.sigma0)
        theta = np.stack([better, np.maximum(1 - better - worse, 0.0), worse])
        largest = (theta == theta.max(axis=0)).astype(np.float64)
        largest /= largest.sum(axis=0)  # ties are shared
        six = (*theta, *largest)
        readings = np.array([x.mean() for x in six])
        return regions(better.ravel(), worse.ravel(), readings, error=max(map(standard_error, six)))


def hierarchical_t_nuts(
    tasks: Sequence[ArrayLike | Sums],
    *,
    rho: float | Sequence[float] = 0.0,
    rope: float | Sequence[float] | None = None,
    alpha: tuple[float, float] = (0.5, 5.0),
    beta: tuple[float, float] = (0.05, 0.15),
    scale: float | None = None,
    big: float = 1000.0,
    draws: int = 2000,
    warmup: int = 1000,
    chains: int = 2,
    rng: int | np.random.Generator = 0,
) -> NutsResult:
    """Draws from the whole model behind `bayes.hierarchical_t`, nothing integrated out, by NUTS.

    Formula
        x_i ~ MVN(mu_i 1, sigma_i² [(1 - rho) I + rho 11']), mu_i ~ Student(nu, mu0, sigma0),
        sigma_i ~ U(0, big s), mu0 ~ U(-scale, scale), sigma0 ~ U(0, big s0), nu - 1 ~ Gamma(a, b),
        a ~ U(alpha), b ~ U(beta); s is the mean standard deviation of the tasks, s0 the standard deviation
        of the task means, or the tasks' mean standard error where that is larger.
    Assumes
        what `bayes.hierarchical_t` assumes, and at least three units in each task.
    Not for
        everyday use: the exact test gives the same answer without Monte Carlo error in a fraction of the
        time. This one is here to check it, and as a start for models of your own.
    Reference
        Benavoli, Corani, Demšar & Zaffalon 2017, eq. 12-19 (jmlr.org/papers/v18/16-305.html); Hoffman &
        Gelman 2014 for NUTS (jmlr.org/papers/v15/hoffman14a.html).

    Needs NumPyro: pip install 'ropewalk[nuts]'. `rope` and `scale` are those of `bayes.hierarchical_t`.

    >>> tasks = [[0.02, 0.03, 0.01], [0.04, 0.03, 0.05], [0.01, 0.00, 0.03], [0.03, 0.02, 0.04]]
    >>> fitted = hierarchical_t_nuts(tasks)                              # doctest: +SKIP
    >>> round(fitted.next_task(0.01).mean.better, 1)                     # doctest: +SKIP
    0.8
    """
    n, mean, m2 = _three_sums(tasks, rope)
    each_rho = np.asarray(rho, dtype=np.float64)
    if each_rho.shape not in ((), n.shape) or not np.all((each_rho >= 0) & (each_rho < 1)):
        raise OptionError(f"rho is {rho}", hint="Give a correlation in [0, 1), or one for each task.")
    # x_i enters through n, m and S: m varies by sigma² (1 + (n-1) rho)/n, S is sigma² (1 - rho) chi²(n-1).
    inflation = (1 + (n - 1) * each_rho) / n
    m2 = m2 / (1 - each_rho)
    sd = np.sqrt(m2 / (n - 1))
    unit = float(np.max(np.abs(mean) + sd))
    bound = 10 * unit if scale is None else float(scale)
    if not np.max(np.abs(mean)) < bound < np.inf:
        raise OptionError(
            f"scale is {scale}, but a task has the mean {np.max(np.abs(mean)):g}",
            hint="Give the largest advantage that the metric allows: 1 for accuracies, 100 for percent.",
        )
    standard_errors = np.sqrt(m2 * inflation / (n - 2))
    spread = max(float(np.std(mean, ddof=1)), float(np.mean(standard_errors)))
    model = _Model(
        n=n,
        mean=mean / unit,
        m2=m2 / unit**2,
        inflation=inflation,
        largest_mu0=bound / unit,
        largest_sigma0=big * spread / unit,
        largest_sigma=big * float(np.mean(sd)) / unit,
        alpha=alpha,
        beta=beta,
    )
    sampled, divergences = sample(model, draws, warmup, chains, np.random.default_rng(rng))
    return NutsResult(
        mu0=unit * sampled["mu0"],
        sigma0=unit * sampled["sigma0"],
        nu=1 + sampled["nu - 1"],
        mu=unit * sampled["mu"],
        divergences=divergences,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Model:
    """Data (m2 is S/(1 - rho)) and bounds of the priors, as NumPyro and a starting point need them."""

    n: Floats
    mean: Floats
    m2: Floats
    inflation: Floats
    largest_mu0: float
    largest_sigma0: float
    largest_sigma: float
    alpha: tuple[float, float]
    beta: tuple[float, float]

    def __call__(self) -> None:
        import jax.numpy as jnp
        import numpyro
        from jax.nn import softplus
        from numpyro import distributions as dist

        def uniform(name: str, low: float, high: float, shape: tuple[int, ...] = ()) -> Any:
            return numpyro.sample(name, dist.Uniform(low, high).expand(shape)) if low < high else low

        def real(name: str, shape: tuple[int, ...]) -> Any:
            return numpyro.sample(name, dist.ImproperUniform(dist.constraints.real, (), shape))

        a, b = uniform("a", *self.alpha), uniform("b", *self.beta)  # eq. 16, 17
        nu = 1 + numpyro.sample("nu - 1", dist.Gamma(a, b))  # eq. 15
        sigma0 = uniform("sigma0", 0.0, self.largest_sigma0)  # eq. 19
        sigma = uniform("sigma", 0.0, self.largest_sigma, self.n.shape)  # eq. 14
        variance = sigma**2 * self.inflation  # of the task's mean around mu_i

        # eq. 18. mu0 is measured from the mean of the tasks, each weighted by how well it shows mu0, so that
        # its scale does not hang on sigma0; tanh keeps it within its bounds.
        weight = 1 / (variance + sigma0**2)
        width = 1 / jnp.sqrt(weight.sum() + 1 / self.largest_mu0**2)
        inner = (jnp.sum(weight * self.mean) / weight.sum() + width * real("z0", ())) / self.largest_mu0
        mu0 = numpyro.deterministic("mu0", self.largest_mu0 * jnp.tanh(inner))
        numpyro.factor("eq. 18", jnp.log(width) - 2 * (inner + softplus(-2 * inner)))  # log |d mu0/d z0| + c

        # eq. 13. Student(nu, mu0, sigma0) is a normal whose precision is a gamma variable. A few rounds of
        # mean-field updates give the precision that each task sees, and with it a mean and a precision of
        # mu_i given the rest. Measured from there, z_i hardly depends on sigma0 and sigma_i: no funnel,
        # however much or little the data say. The Jacobian is exact: all this only helps the walk along.
        own, shared = 1 / variance, 1 / sigma0**2
        for _ in range(4):
            residual = (self.mean - mu0) * own / (own + shared)
            shared = (nu + 1) / (nu * sigma0**2 + residual**2 + 1 / (own + shared))
        precision = own + shared
        centre = (self.mean * own + mu0 * shared) / precision
        mu = numpyro.deterministic("mu", centre + real("z", self.n.shape) / jnp.sqrt(precision))
        numpyro.factor("eq. 13", dist.StudentT(nu, mu0, sigma0).log_prob(mu) - 0.5 * jnp.log(precision))

        # eq. 12: log MVN(x_i; mu_i 1, Sigma_i) without what depends on neither mu_i nor sigma_i.
        squares = self.m2 / sigma**2 + (self.mean - mu) ** 2 * own
        numpyro.factor("eq. 12", -self.n * jnp.log(sigma) - 0.5 * squares)

    def start(self, chains: int, rng: np.random.Generator) -> dict[str, Floats]:
        """Where the chains start, on the unbounded scales NumPyro works with: near the data, but apart."""

        def around(x: float | Floats, sd: float = 1.0) -> Floats:
            return np.asarray(x + sd * rng.standard_normal((chains, *np.shape(x))))

        spread = np.sqrt(np.var(self.mean) + np.mean(self.m2 / self.n * self.inflation))
        at = {
            "z0": around(0.0),
            "sigma0": around(logit(spread / self.largest_sigma0)),
            "sigma": around(logit(np.sqrt(self.m2 / self.n) / self.largest_sigma), 0.1),
            "nu - 1": around(np.log(np.mean(self.alpha) / np.mean(self.beta))),
            "z": around(np.zeros(self.n.shape), 0.1),
        }
        hyper = {"a": self.alpha, "b": self.beta}
        return at | {name: around(0.0) for name, (low, high) in hyper.items() if low < high}


def sample(
    model: Any, draws: int, warmup: int, chains: int, rng: np.random.Generator
) -> tuple[dict[str, Floats], int]:
    """The draws of every parameter, and how many of them ended in a divergence."""
    import jax
    import jax.experimental
    from numpyro.infer import MCMC, NUTS

    # The name before JAX 0.8 is the second one. Doubles for this call only, not for the user's own code.
    double = jax.enable_x64 if hasattr(jax, "enable_x64") else jax.experimental.enable_x64
    with double(True), jax.default_device(jax.devices("cpu")[0]):
        kernel = NUTS(model, target_accept_prob=0.95)
        sampler = MCMC(
            kernel,
            num_warmup=warmup,
            num_samples=draws,
            num_chains=chains,
            chain_method="sequential",
            progress_bar=False,
        )
        start = model.start(chains, rng)
        if chains == 1:  # NumPyro wants no axis for a single chain
            start = {name: x[0] for name, x in start.items()}
        sampler.run(
            jax.random.PRNGKey(int(rng.integers(2**31))), init_params=start, extra_fields=("diverging",)
        )
        sampled = {name: np.asarray(x) for name, x in sampler.get_samples(group_by_chain=True).items()}
        return sampled, int(np.sum(sampler.get_extra_fields()["diverging"]))


def _three_sums(
    tasks: Sequence[ArrayLike | Sums], rope: float | Sequence[float] | None
) -> tuple[Floats, Floats, Floats]:
    """n, mean and S = Σ(x - mean)² of each task."""
    if len(tasks) < 2:
        raise DataError(f"{len(tasks)} task given, at least 2 needed", hint="On one task use bayes.t.")
    sums = []
    for i, task in enumerate(tasks):
        try:
            sums.append(as_sums(task, at_least=3))
        except RopewalkError as problem:
            raise type(problem)(f"task {i}: {problem.what}", where=problem.where, hint=problem.hint) from None
    n = np.array([s.n for s in sums], dtype=np.float64)
    mean = np.array([s.mean for s in sums])
    m2 = np.array([s.m2 for s in sums])
    low, high = (0.0, 0.0) if rope is None else edges(rope)
    half = 0.5 * (high - low)
    if half == 0 and np.any(m2 == 0):
        raise MethodError(
            f"the scores of task {np.argmin(m2)} never vary",
            hint="Give rope=, a half width above 0: such scores are taken as spread evenly over the ROPE.",
        )
    return n, mean, np.where(m2 == 0, n * half**2 / 3, m2)


def standard_error(x: Floats) -> float:
    """The Monte Carlo standard error of the mean of probabilities x.

    What never happens in n draws may still have a probability of about 1/n: that is the error of a constant.
    """
    size = effective_size(x)
    return float(np.std(x)) / float(np.sqrt(size)) if np.ptp(x) > 0 else 1 / size

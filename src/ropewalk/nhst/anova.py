"""The two-way mixed analysis of variance: models fixed, units random."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import fdtrc

from ropewalk.errors import CellError, DataError, MethodError
from ropewalk.matrices import Floats
from ropewalk.nhst.result import TestResult
from ropewalk.sums import ROUNDING, differences, numeric


@dataclass(frozen=True, slots=True, kw_only=True)
class AnovaRow:
    """One line of an analysis of variance.

    Parameters
    ----------
    source : str
        Source of variation.
    ss, df, ms : float, int, float
        Sum of squares, degrees of freedom and mean square.
    expected : str
        Expectation of the mean square.

    Examples
    --------
    >>> from ropewalk import nhst
    >>> nhst.anova([[0.9, 0.8], [0.8, 0.7], [0.6, 0.7]]).table[0].df
    1
    """

    source: str
    ss: float
    df: int
    ms: float
    expected: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Components:
    """Estimated variances, not below zero.

    Parameters
    ----------
    unit : float
        Variance of units.
    interaction : float
        Variance of units by models; without replicates it is part of `residual`, and zero here.
    residual : float
        Variance within a cell.

    Examples
    --------
    >>> from ropewalk import nhst
    >>> nhst.anova([[0.9, 0.8], [0.8, 0.7], [0.6, 0.7]]).components.interaction
    0.0
    """

    unit: float
    interaction: float
    residual: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AnovaResult(TestResult):
    """Result of an analysis of variance.

    Parameters
    ----------
    name, statistic, p_value, sources, family, exact : see TestResult
        As for every test. The statistic is F for "all models have the same mean".
    df : (int, int)
        Degrees of freedom of the numerator and the denominator.
    table : tuple of AnovaRow
        Lines of the table: sum of squares, degrees of freedom, mean square and its expectation.
    effects : ndarray
        Models' means less the overall mean.
    components : Components
        Estimated variances of units, of units by models, and within a cell.
    epsilon : float
        Greenhouse and Geisser's epsilon; 1 where all differences of two models vary alike.
    p_value_epsilon : float
        P-value with both degrees of freedom times epsilon.

    See Also
    --------
    ropewalk.nhst.anova : Makes it, and explains the test.

    Examples
    --------
    >>> from ropewalk import nhst
    >>> nhst.anova([[0.9, 0.8, 0.7], [0.8, 0.7, 0.7], [0.6, 0.5, 0.4], [0.9, 0.6, 0.5]]).df
    (2, 6)
    """

    df: tuple[int, int]
    table: tuple[AnovaRow, ...]
    effects: Floats
    components: Components
    epsilon: float
    p_value_epsilon: float


def anova(z: ArrayLike) -> AnovaResult:
    """Do k models have the same mean score over n units, where the units are a sample of many?

    Parameters
    ----------
    z : array_like, units x models or units x models x replicates
        Scores of each model on each unit.

    Returns
    -------
    AnovaResult
        F, its degrees of freedom and the p-value.

    Notes
    -----
    Formula::

        z_ij = mu + alpha_i + beta_j + e_ij, alpha_i the effect of model i (fixed, they add up to zero),
        beta_j that of unit j, normal with variance s_b². SS_models + SS_units + SS_e = SS_total; E MS_models
        = s_e² + n·sum of alpha²/(k - 1), E MS_units = s_e² + k s_b², E MS_e = s_e². F = MS_models/MS_e with
        k - 1 and (k - 1)(n - 1) degrees of freedom; s_b² is estimated as (MS_units - MS_e)/k.
        With r replicates in each cell there is an interaction (ab)_ij, normal with variance s_ab², whose mean
        square, expected s_e² + r s_ab², takes the place of MS_e; all terms of units and models are times r.

    Assumes
        independent units; normal effects; replicates that are independent within each cell; the same variance
        for the difference of any two models (sphericity). If the last does not hold, use `p_value_epsilon`.

    Not for
        tasks whose scores are on different scales (use `friedman`); folds of cross-validation; seeds shared
        by all units (use `quasi_f` or `bayes.crossed`); finding out which models differ.

    Interactions are independent of each other (the
    unrestricted model), so that the form without replicates is the one with r = 1.

    References
    ----------
    .. [1] Montgomery 2013, Design and Analysis of Experiments, sec. 13.3.
    .. [2] Williams 2026, A Review of and Best Practices for Comparing Machine Learning Models, app. B.
    .. [3] Greenhouse & Geisser 1959, doi:10.1007/BF02289823.

    Examples
    --------
    >>> result = anova([[0.9, 0.8, 0.7], [0.8, 0.7, 0.7], [0.6, 0.6, 0.4], [0.9, 0.6, 0.5]])
    >>> result.statistic, result.df, result.p_value
    (7.956..., (2, 6), 0.0205...)
    >>> [row.source for row in result.table]
    ['models', 'units', 'residual']
    """
    x = _checked(z)
    n, k, r = x.shape
    largest = float(np.abs(x).max())
    x = x - x.mean()  # sums of squares of numbers far from zero lose digits
    y = x.mean(axis=2)
    grand = float(y.mean())
    model, unit = y.mean(axis=0) - grand, y.mean(axis=1) - grand
    both = y - grand - model - unit[:, None]
    within = x - y[:, :, None]
    # A spread that is only rounding error is not a spread.
    least = x.size * (ROUNDING * largest) ** 2
    ss_model, ss_unit, ss_both, ss_within = (
        q if q > least else 0.0
        for q in (
            n * r * float(model @ model),
            k * r * float(unit @ unit),
            r * float((both**2).sum()),
            float((within**2).sum()),
        )
    )
    df = k - 1, (k - 1) * (n - 1)
    rows = _rows(ss_model, ss_unit, ss_both, ss_within, n=n, k=k, r=r)
    f = _f(rows[0].ms, rows[2].ms)
    epsilon = _epsilon(both)
    return AnovaResult(
        name="ANOVA",
        sources=("montgomery2013",),
        statistic=f,
        p_value=float(fdtrc(*df, f)),
        df=df,
        table=rows,
        effects=model,
        components=_components(rows, k=k, r=r),
        epsilon=epsilon,
        p_value_epsilon=float(fdtrc(epsilon * df[0], epsilon * df[1], f)),
    )


def _rows(
    model: float, unit: float, both: float, within: float, *, n: int, k: int, r: int
) -> tuple[AnovaRow, ...]:
    """The rows of the table with expected mean squares; the "residual" is the interaction if r > 1."""

    def row(source: str, ss: float, df: int, expected: str) -> AnovaRow:
        return AnovaRow(source=source, ss=ss, df=df, ms=ss / df, expected=expected)

    noise = "s_e²" if r == 1 else f"s_e² + {r} s_ab²"
    table = (
        row("models", model, k - 1, f"{noise} + {n * r} Σalpha²/{k - 1}"),
        row("units", unit, n - 1, f"{noise} + {k * r} s_b²"),
        row("residual" if r == 1 else "models x units", both, (k - 1) * (n - 1), noise),
    )
    return table if r == 1 else (*table, row("within", within, n * k * (r - 1), "s_e²"))


def _components(rows: tuple[AnovaRow, ...], *, k: int, r: int) -> Components:
    """The variance components: each expected mean square solved for its own variance."""
    _, unit, both, *within = (row.ms for row in rows)
    noise = within[0] if within else both
    return Components(
        unit=max((unit - both) / (k * r), 0.0), interaction=max((both - noise) / r, 0.0), residual=noise
    )


def _f(model: float, noise: float) -> float:
    if noise == 0 and model > 0:
        raise MethodError(
            "every unit has the same differences between the models, so the F statistic is infinite",
            hint="Find out why the models always differ by the same amount.",
        )
    return model / noise if model > 0 else 0.0


def _epsilon(both: Floats) -> float:
    """(tr C)²/((k - 1) tr C²), C the covariance of the models with row and column means removed.

    In `both` they are already removed: the residuals of each unit and of each model sum to zero.
    """
    c = both.T @ both
    trace, square = float(np.trace(c)), float((c**2).sum())
    return trace**2 / ((both.shape[1] - 1) * square) if square > 0 else 1.0


def _checked(z: ArrayLike) -> Floats:
    """Check a table of units x models x replicates: at least two units and two models, all cells finite."""
    x = numeric(
        z,
        "this is not a table of numbers, one row per unit and one column per model",
        "Give a 2-D array of floats; a missing cell makes the rows unequal.",
    )
    if x.ndim not in (2, 3):
        raise DataError(
            f"the table has {x.ndim} dimension{'s' if x.ndim != 1 else ''}, 2 or 3 were expected",
            hint="Give units x models, or units x models x replicates.",
        )
    x = x.reshape(*x.shape[:2], -1) if x.size else x.reshape(*x.shape[:2], 1) if x.ndim == 2 else x
    if min(x.shape[:2]) < 2 or x.shape[2] < 1:
        raise DataError(
            f"the table has {x.shape[0]} units and {x.shape[1]} models, at least 2 of each are needed",
            hint="Give one row per unit and one column per model.",
        )
    bad = np.argwhere(~np.isfinite(x))
    if bad.size:
        raise CellError(
            f"{len(bad)} of {x.size} cells are NaN or infinite",
            where=[f"unit {i}, model {j}: {x[i, j, k]}" for i, j, k in bad[:5]],
            hint="Drop the unit for every model, or find out why it has no score.",
        )
    differences(x.ravel())  # rejects values too large to be squared
    return x

"""Published reference values, recomputed by ropewalk and compared.

usage: python examples/certificates.py > docs/certificates.md

The same list is a test: tests/contract/test_certificates.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import log10, sqrt
from pathlib import Path

import numpy as np

from ropewalk import bayes, nhst
from ropewalk.decide import cohens_d, cohens_g, series_summary
from ropewalk.posterior import Beta
from ropewalk.sums import Sums

NIST = Path(__file__).parents[1] / "tests" / "contract" / "nist"


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """A number as it is printed, and ours.

    `exact` is the same number in rational arithmetic on the data as a computer stores them: 10000000.1 is not a
    finite sum of powers of two, and no algorithm can recover the digits that are lost.
    """

    source: str
    what: str
    printed: str
    ours: float
    exact: float | None = None

    @property
    def digits(self) -> float:
        """Correct digits, the log relative error of NIST, at most 15."""
        return digits(self.ours, float(self.printed))

    @property
    def attainable(self) -> float:
        """Digits that the rounding of the data leaves."""
        return 15.0 if self.exact is None else digits(self.exact, float(self.printed))

    @property
    def agrees(self) -> bool:
        """Whether ours rounds to what is printed; of 17 printed digits, which are no more certain, 14 will do."""
        if self.digits >= 14:
            return True
        mantissa, _, exponent = self.printed.lower().partition("e")
        last = 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
        return abs(self.ours - float(self.printed)) <= 0.5 * last * (1 + 1e-9)


def digits(found: float, certified: float) -> float:
    """-log10 of the relative error, between 0 and 15."""
    if found == certified:
        return 15.0
    return float(np.clip(-log10(abs(found - certified) / abs(certified)), 0.0, 15.0))


# ------------------------------------------------------------------------------------------------ NIST

UNIVARIATE = {  # mean, standard deviation and lag-1 autocorrelation
    "Lottery": ("518.958715596330", "291.699727470969", "-0.120948622967393"),
    "Lew": ("-177.435000000000", "277.332168044316", "-0.307304800605679"),
    "Mavro": ("2.00185600000000", "0.000429123454003053", "0.937989183438248"),
    "Michelso": ("299.852400000000", "0.0790105478190518", "0.535199668621283"),
    "NumAcc1": ("10000002", "1", "-0.5"),
    "NumAcc2": ("1.2", "0.1", "-0.999"),
    "NumAcc3": ("1000000.2", "0.1", "-0.999"),
    "NumAcc4": ("10000000.2", "0.1", "-0.999"),
}
ANOVA = {  # sums of squares between and within the treatments, and F
    "SiRstv": ("5.11462616000000E-02", "2.16636560000000E-01", "1.18046237440255E+00"),
    "AtmWtAg": ("3.63834187500000E-09", "1.04951729166667E-08", "1.59467335677930E+01"),
    **dict.fromkeys(("SmLs01", "SmLs04", "SmLs07"), ("1.68", "1.8", "21")),
    **dict.fromkeys(("SmLs02", "SmLs05", "SmLs08"), ("16.08", "18", "201")),
    **dict.fromkeys(("SmLs03", "SmLs06", "SmLs09"), ("160.08", "180", "2001")),
}
# A spread of less than 1e-12 of the values counts as their rounding (`ropewalk.sums.ROUNDING`).
NO_SPREAD = ("SmLs07", "SmLs08", "SmLs09")


def univariate(name: str) -> list[float]:
    """The values of a set; those that follow a rule are made by it."""
    if name == "NumAcc1":
        return [10000001.0, 10000003.0, 10000002.0]
    if name.startswith("NumAcc"):
        whole = {"2": "1", "3": "1000000", "4": "10000000"}[name[-1]]
        return [float(f"{whole}.2"), *(float(f"{whole}.{k}") for _ in range(500) for k in (1, 3))]
    return [x for row in _rows(name) for x in row]


def treatments(name: str) -> list[list[float]]:
    """The values of each treatment. Simon & Lesage: a mean, then as often a tenth below as above it."""
    if not name.startswith("SmLs"):
        return _rows(name)
    kind = int(name[-2:]) - 1
    whole, n = ("1", "1000000", "1000000000000")[kind // 3], (21, 201, 2001)[kind % 3]
    tenths = [4] + [3, 5] * 4
    return [[float(f"{whole}.{m + (0 if j == 0 else (-1) ** j)}") for j in range(n)] for m in tenths]


def _rows(name: str) -> list[list[float]]:
    lines = (NIST / f"{name}.dat").read_text(encoding="utf-8").splitlines()
    return [[float(x) for x in line.split()] for line in lines if not line.startswith("#")]


def squares(x: Sequence[float]) -> tuple[Fraction, Fraction]:
    """The mean and the sum of squares around it, exactly."""
    ratios = [v.as_integer_ratio() for v in x]
    scaled = [above * (2**60 // below) for above, below in ratios]  # whole multiples of 2^-60
    total = sum(scaled)
    about = Fraction(sum(v * v for v in scaled)) - Fraction(total * total, len(x))
    return Fraction(total, len(x) * 2**60), about / 2**120


def nist_univariate() -> list[Certificate]:
    """Mean and standard deviation by `Sums`, the scale of the Bayesian t-test, the correlation of neighbours."""
    out = []
    for name, (mean, sd, lag1) in UNIVARIATE.items():
        x = univariate(name)
        sums, (centre, m2) = Sums.of(x), squares(x)
        spread = sqrt(m2 / (len(x) - 1))
        source = f"NIST StRD {name}"
        out.append(
            Certificate(source=source, what="mean, Sums", printed=mean, ours=sums.mean, exact=float(centre))
        )
        out.append(Certificate(source=source, what="sd, Sums", printed=sd, ours=sums.sd, exact=spread))
        posterior = bayes.t(x)
        scale = posterior.scale * sqrt(len(x))  # type: ignore[attr-defined]  # a Student, as there is a spread
        out.append(Certificate(source=source, what="sd, bayes.t", printed=sd, ours=scale, exact=spread))
        away = [Fraction(v) - centre for v in x]
        exact = float(sum((u * v for u, v in pairwise(away)), Fraction(0)) / m2)
        ours = series_summary(x).lag1
        out.append(
            Certificate(source=source, what="lag 1, series_summary", printed=lag1, ours=ours, exact=exact)
        )
    return out


def nist_anova() -> list[Certificate]:
    """One-way sums of squares by `nhst.anova`, whose rows are the replicates.

    Its line of the models is the one between treatments; its lines of units and residuals together are the
    one within them.
    """
    out = []
    for name, (between, within, f) in ANOVA.items():
        if name in NO_SPREAD:
            continue
        groups = treatments(name)
        k, n = len(groups), len(groups[0])
        # The order within a treatment is free; turned, so that no row is like another.
        turned = [np.roll(g, i) for i, g in enumerate(groups)]
        models, units, residual = nhst.anova(np.column_stack(turned)).table
        inside = units.ss + residual.ss
        parts = [squares(g)[1] for g in groups]
        exact_in, exact_all = sum(parts, Fraction(0)), squares([x for g in groups for x in g])[1]
        exact = float(exact_all - exact_in), float(exact_in)
        mean_squares = (k - 1, k * (n - 1))
        ours_f = models.ms / (inside / mean_squares[1])
        exact_f = exact[0] / mean_squares[0] / (exact[1] / mean_squares[1])
        source = f"NIST StRD {name}"
        for what, printed, ours, right in (
            ("between SS", between, models.ss, exact[0]),
            ("within SS", within, inside, exact[1]),
            ("F", f, ours_f, exact_f),
        ):
            out.append(
                Certificate(source=source, what=f"{what}, anova", printed=printed, ours=ours, exact=right)
            )
    return out


# ------------------------------------------------------------------------------------------------ R and SciPy

SLEEP = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4]  # second drug less first, Student 1908
DEPRESSION = (
    [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30],
    [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29],
)
CORN = [6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75]
EVENTS = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344]
EVENTS += [0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.000]
ADJUSTED = ["0.0015", "0.003", "0.0095", "0.035625", "0.0603", "0.06385714", "0.06385714", "0.0645"]
ADJUSTED += ["0.0765", "0.486", "0.58118182", "0.714875", "0.75323077", "0.81321429", "1"]


def r() -> list[Certificate]:
    """What R prints for the examples of its own help pages."""

    def of(call: str, what: str, printed: str, ours: float) -> Certificate:
        return Certificate(source=f"R {call}", what=what, printed=printed, ours=ours)

    sleep = nhst.paired_t(SLEEP)
    low, high = bayes.t(SLEEP).hdi(0.95)
    rank = nhst.wilcoxon(np.subtract(*DEPRESSION))
    approval = nhst.mcnemar(150, 86)
    wins, losses = 682, 243
    return [
        of("t.test(sleep, paired)", "t, paired_t", "4.0621", sleep.statistic),
        of("t.test(sleep, paired)", "p, paired_t", "0.002833", sleep.p_value),
        of("t.test(sleep, paired)", "95% interval, bayes.t", "0.7001142", low),
        of("t.test(sleep, paired)", "95% interval, bayes.t", "2.4598858", high),
        of("wilcox.test(depression)", "V, wilcoxon", "40", rank.statistic),
        of("wilcox.test(depression)", "one-sided p, wilcoxon", "0.01953", rank.p_value / 2),
        of("mcnemar.test(Performance)", "chi², mcnemar", "16.818", approval.statistic),
        of("mcnemar.test(Performance)", "p, mcnemar", "4.115e-05", approval.p_value),
        of("binom.test(682, 925)", "95% interval, Beta", "0.7076683", float(Beta(a=wins, b=losses + 1).quantile(0.025))),
        of("binom.test(682, 925)", "95% interval, Beta", "0.7654066", float(Beta(a=wins + 1, b=losses).quantile(0.975))),
    ]  # fmt: skip


def scipy() -> list[Certificate]:
    """What SciPy's documentation prints."""

    def of(call: str, what: str, printed: str, ours: float) -> Certificate:
        return Certificate(source=f"SciPy {call}", what=what, printed=printed, ours=ours)

    corn = nhst.wilcoxon(CORN)
    x = np.random.default_rng(seed=18).random((6, 10))
    ranks = nhst.friedman(x.T)
    unsafe = Beta(a=3, b=13)  # Pr(Binomial(15, x) >= 3) is its distribution function
    found = nhst.adjust(EVENTS, method="benjamini-hochberg")
    return [
        of("wilcoxon", "W, wilcoxon", "96", corn.statistic),
        of("wilcoxon", "p, wilcoxon", "0.041259765625", corn.p_value),
        of("friedmanchisquare", "chi², friedman", "11.428571428571416", ranks.statistic),
        of("friedmanchisquare", "p, friedman", "0.043514520866727614", ranks.p_value),
        of("binomtest(3, 15, 0.1)", "p, Beta", "0.18406106910639114", float(unsafe.cdf(0.1))),
        of("binomtest(3, 15, 0.1)", "lower limit, Beta", "0.05684686759024681", float(unsafe.quantile(0.05))),
        *(
            of("false_discovery_control", f"p of claim {i}, adjust", printed, float(found[i - 1]))
            for i, printed in enumerate(ADJUSTED, start=1)
        ),
    ]


# ------------------------------------------------------------------------------------------------ the papers

PAIRS = {"da-en": (159, 198), "tr-en": (64, 30)}  # n01 and n10


def papers() -> list[Certificate]:
    """Worked examples in the running text of the papers; their tables are in reproduced.md."""

    def of(where: str, what: str, printed: str, ours: float) -> Certificate:
        return Certificate(source=where, what=what, printed=printed, ours=ours)

    mice, cv = "Williams 2026 sec. 6.1", "Benavoli et al. 2017 sec. 2"
    language = "Williams 2026 sec. 6.2"
    n = 176
    svm = Sums(n=n, mean=7.06 / sqrt(n), m2=n - 1.0)
    mlp = Sums(n=n, mean=0.87 / sqrt(n), m2=n - 1.0)
    anneal = Sums(n=100, mean=-0.0194, m2=99 * 0.01583**2)
    t = nhst.corrected_t(anneal, rho=0.1)
    posterior = bayes.t(anneal, rho=0.1)
    return [
        of(mice, "Cohen's d of t = 7.06, cohens_d", "0.53", cohens_d(svm).value),
        of(mice, "Cohen's d of t = 0.87, cohens_d", "0.066", cohens_d(mlp).value),
        of(language, "|g| of tr-en, cohens_g", "0.18", abs(cohens_g(*PAIRS["tr-en"]).value)),
        of(language, "|g| of da-en, cohens_g", "0.055", abs(cohens_g(*PAIRS["da-en"]).value)),
        of(cv, "t of anneal, corrected_t", "-3.52", t.statistic),
        of(cv, "p of anneal, corrected_t", "0.00065", t.p_value),
        of(cv, "scale² of the posterior, bayes.t", "0.000030", posterior.scale**2),  # type: ignore[attr-defined]
    ]


# Printed in the papers, and tested elsewhere together with its data.
ELSEWHERE = [
    ("Williams 2026 sec. 6.1", "0.326 / 0.660 / 0.014 of t = 0.87, and with 6 and 15 times the data", "tests/bayes/test_t.py"),
    ("Williams 2026 sec. 6.1", "p = 3.7e-11 and 0.38; 0.0324 and 0.0007 with 6 and 15 times the data", "tests/nhst/test_paired_t.py"),
    ("Williams 2026 sec. 6.2", "0.571 / 0.429 / 0.00004 of da-en, 0.000005 / 0.004 / 0.996 of tr-en", "tests/bayes/test_mcnemar.py"),
    ("Williams 2026 sec. 6.2", "p = 0.045 and 0.00067 of McNemar's test; 8 of 11 with ten times the counts", "tests/nhst/test_mcnemar.py"),
    ("Williams 2026 sec. 6.2", "mean of phi_next 0.521, and 0.053 / 0.737 / 0.210", "tests/bayes/test_hierarchical_mcnemar.py"),
    ("Williams 2026 sec. 6.2", "Friedman's chi² = 0.818, p = 0.366", "tests/nhst/test_friedman.py"),
    ("Benavoli et al. 2017 sec. 3.1", "0.788 / 0.086 / 0.126 of squash-unstored, which do not follow from the data", "tests/bayes/test_t.py"),
    ("Demšar 2006 sec. 3.2.2", "average ranks, chi² = 9.28, F = 3.69; critical values of Table 5", "tests/nhst/test_friedman.py"),
    ("R friedman.test", "chi² = 11.143, p = 0.003805 (RoundingTimes)", "tests/nhst/test_friedman.py"),
    ("mpmath", "two-sided tails of Student and the binomial to 1e-300, relative 1e-10 and 1e-12", "tests/nhst/test_tails.py"),
    ("mpmath", "range of k normals to 1e-43, relative 1e-11; two of them to 1e-296", "tests/nhst/test_studentized_range.py"),
    ("mpmath", "tails of Student, Beta and a difference of proportions, relative 1e-10", "tests/posterior/test_difference.py"),
    ("mpmath", "quantiles of Student and Beta down to 1e-150, tails of Beta to 1e-300, relative 1e-10", "tests/contract/test_certificates.py"),
]  # fmt: skip


def certificates() -> list[Certificate]:
    """All that are recomputed here."""
    return [*nist_univariate(), *nist_anova(), *r(), *scipy(), *papers()]


def page() -> str:
    """The list as Markdown."""
    lines = [
        "# External certificates",
        "",
        "Published reference values, compared with ours. `examples/certificates.py` writes this page, and a test checks",
        "the same list. NIST certifies its data sets to 15 digits, but not all of them can be reached: 10000000.1 has",
        "no exact binary representation, so the standard deviation of NumAcc4 is known to only 8 digits before anything",
        "is computed. `attainable` is what exact rational arithmetic on the rounded data reaches. Values from R, SciPy",
        "and the papers must agree in all printed digits.",
        "",
        "| source | quantity, function | printed | ours | correct digits | attainable |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for c in certificates():
        most = "" if c.exact is None else f"{c.attainable:.1f}"
        same = f"{c.digits:.1f}" if c.exact is not None else "all printed" if c.agrees else "**differs**"
        lines.append(f"| {c.source} | {c.what} | {c.printed} | {c.ours:.12g} | {same} | {most} |")
    lines += [
        "",
        "Two kinds of data sets are left out. SmLs07 to SmLs09 have a spread of 0.1 around 10¹², a relative spread of",
        "2·10⁻¹³, and ropewalk treats anything below 10⁻¹² as rounding. The certified mean of PiDigits, 4.5348, is not",
        "the mean of the first 5,000 digits of pi, which is 4.5358.",
        "",
        "## Reference values in other tests",
        "",
        "| source | what | test |",
        "| --- | --- | --- |",
        *(f"| {source} | {what} | `{test}` |" for source, what, test in ELSEWHERE),
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(page(), end="")

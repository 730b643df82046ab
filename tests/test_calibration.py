"""The calibration studies at a small scale, and their stored figures."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from ropewalk import bayes
from ropewalk.decide import by_threshold, in_scores, on_phi, probabilities
from ropewalk.errors import MethodError
from ropewalk.posterior import Posterior, Student

ROOT = Path(__file__).parents[1]
CHEAP = [
    ("t", "mean"),
    ("ess_t", "mean"),
    ("mcnemar", "phi"),
    ("accuracy_difference", "difference"),
    ("risk", "rate"),
    ("sign", "share better"),
    ("signed_rank", "theta better"),
    ("signed_rank_range", "most probable"),
    ("rank_sum", "theta better"),
    ("friedman", "a difference of mean ranks"),
    ("several_sign", "share where A dominates"),
    ("censored_sign", "most probable"),
    ("censored_signed_rank", "most probable"),
    ("bootstrap", "AUROC difference"),
    ("joint_bootstrap", "AUROC"),
    ("joint_runs", "two models"),
    ("joint", "one mean"),
    ("joint", "enough units, a difference"),
    ("joint_tasks", "a pair on its own"),
    ("poisson_binomial", "A ahead"),
    ("poisson_binomial_matrix", "a pair"),
]


@pytest.fixture(scope="module")
def lab() -> Iterator[SimpleNamespace]:
    """The modules of the lab, which is no part of the package."""
    sys.path.insert(0, str(ROOT / "calibration"))
    names = ("run", "sbc", "sbc_models", "verdicts", "verdict_studies")
    try:
        yield SimpleNamespace(**{name: import_module(name) for name in names})
    finally:
        sys.path.remove(str(ROOT / "calibration"))


def test_every_bayesian_method_is_calibrated(lab: SimpleNamespace) -> None:
    methods = {name for name in bayes.__all__ if not isinstance(getattr(bayes, name), type)}
    assert {m.method for m in lab.sbc_models.MODELS} == methods
    assert {m.method for m in lab.sbc_models.MODELS if m.exact} == methods


def model(lab: SimpleNamespace, method: str, quantity: str) -> SimpleNamespace:
    (found,) = (m for m in lab.sbc_models.MODELS if m.method == method and m.quantities[0] == quantity)
    return found


def off(row: dict[str, float]) -> bool:
    """Whether the truth is not uniform in the posterior, or the intervals do not hold it as they should."""
    n = row["n"]
    far = [abs(row[f"cover{level}"] - level / 100) for level in (95, 50)]
    errors = [np.sqrt(level / 100 * (1 - level / 100) / n) for level in (95, 50)]
    return bool(min(row["chi2_p"], row["ks_p"]) < 1e-4 or np.any(far > 4 * np.array(errors)))


@pytest.mark.parametrize(("method", "quantity"), CHEAP)
@pytest.mark.few(3)
def test_the_truth_is_uniform_in_the_posterior(lab: SimpleNamespace, method: str, quantity: str) -> None:
    # Oracle: Talts et al. 2018, theorem 1; seeds are fixed.
    places, _ = lab.sbc.simulate(model(lab, method, quantity), 120)
    for u in places.T:
        assert not off(lab.sbc.summary(u))


def halved(posterior: Posterior) -> Posterior:
    assert isinstance(posterior, Student)
    return Student(df=posterior.df, loc=posterior.loc, scale=posterior.scale / 2)


def shifted(posterior: Posterior) -> Posterior:
    assert isinstance(posterior, Student)
    return Student(df=posterior.df, loc=posterior.loc + posterior.scale, scale=posterior.scale)


@pytest.mark.parametrize("broken", [halved, shifted])
def test_a_broken_posterior_is_caught(
    lab: SimpleNamespace, monkeypatch: pytest.MonkeyPatch, broken: object
) -> None:
    right = bayes.t
    assert callable(broken)
    monkeypatch.setattr(bayes, "t", lambda d, rho: broken(right(d, rho=rho)))
    places, _ = lab.sbc.simulate(model(lab, "t", "mean"), 120)
    assert off(lab.sbc.summary(places[:, 0]))


def test_refused_data_are_drawn_again_and_counted(lab: SimpleNamespace) -> None:
    def pit(rng: np.random.Generator) -> list[float]:
        if rng.random() < 0.5:
            raise MethodError("no")
        return [rng.random()]

    places, refused = lab.sbc.simulate(replace(lab.sbc_models.MODELS[0], pit=pit), 50)
    assert places.shape == (50, 1)
    assert 20 < refused < 100


def test_uniformity_beside_scipy(lab: SimpleNamespace) -> None:
    # Oracle: scipy.stats, exact Kolmogorov-Smirnov and chi-square.
    from scipy import stats

    u = np.random.default_rng(3).beta(1.1, 1.0, 1000)
    found = lab.sbc.summary(u)
    assert found["ks_p"] == pytest.approx(stats.kstest(u, "uniform").pvalue, rel=0.02)
    assert found["chi2_p"] == pytest.approx(stats.chisquare(np.histogram(u, 20, (0, 1))[0]).pvalue)


def shares(verdicts: list[str]) -> list[float]:
    return [verdicts.count(name) / len(verdicts) for name in ("better", "equivalent", "worse", "undecided")]


def test_t_at_once_is_t_one_by_one(lab: SimpleNamespace) -> None:
    x = np.random.default_rng(1).normal(0.3, 1.0, (40, 12))
    half = 0.1 * x.std(axis=1, ddof=1)
    at_once = lab.verdict_studies.by_t(x, half, np.array([0.0, 0.5]), rho=0.1)
    for effect, row in zip((0.0, 0.5), at_once, strict=True):
        posteriors = [bayes.t(d + effect, rho=0.1) for d in x]
        one_by_one = [
            by_threshold(probabilities(p, in_scores(-h, h, "")))
            for p, h in zip(posteriors, half, strict=True)
        ]
        assert row == pytest.approx(shares(one_by_one))


def test_mcnemar_and_sign_at_once(lab: SimpleNamespace) -> None:
    # The same draws through the public functions: the simulation draws disagreements, then mistakes of A.
    found = lab.verdict_studies.mcnemar(np.random.default_rng(5), "20% disagreement", 200, (2.0,), 60)
    rng = np.random.default_rng(5)
    disagree = rng.binomial(200, 0.2, 60)
    n01 = rng.binomial(disagree, 0.5 - 2.0 * lab.verdict_studies.PHI_EDGE)
    said = []
    for wrong, all_of in zip(n01.tolist(), disagree.tolist(), strict=True):
        p = bayes.mcnemar(wrong, all_of - wrong)
        said.append(by_threshold(probabilities(p, on_phi(p.mean, 0.2, -0.1, 0.1))))
    assert found[0] == pytest.approx(shares(said))
    won = np.random.default_rng(6).random((30, 9)) < 0.7
    by_hand = [by_threshold(bayes.sign(np.where(row, 1.0, -1.0), 0.0).most_probable) for row in won]
    found = lab.verdict_studies.sign(np.random.default_rng(6), "independent tasks", 9, (0.7,), 30)
    assert found[0] == pytest.approx(shares(by_hand))


@pytest.mark.proof
def test_rank_studies_at_once(lab: SimpleNamespace) -> None:
    # The public functions on the same data, with draws of their own: each to three standard errors.
    rng = np.random.default_rng(2)
    studies = import_module("rank_studies")
    a, b = rng.normal(0.5, 1, (20, 6)), rng.normal(0, 2, (20, 6))
    one_by_one = [bayes.rank_sum(x, y, draws=20_000).most_probable.better for x, y in zip(a, b, strict=True)]
    assert studies.rank_sum_at_once(a, b, rng) == pytest.approx(np.array(one_by_one), abs=0.035)
    z = rng.normal(size=(20, 6, 5))
    one_by_one = [float(bayes.friedman(x).pair(0, 1).sf(0.0)) for x in z]
    assert studies.friedman_at_once(z, rng) == pytest.approx(np.array(one_by_one), abs=0.035)


def test_the_edge_of_a_normal_population(lab: SimpleNamespace) -> None:
    # Oracle: with hardly any mass below the ROPE, half of the population lies above its edge at its own.
    x = np.random.default_rng(0).normal(0, 0.3, 200_000)
    assert lab.verdict_studies.edge(x, 1.0) == pytest.approx(1.0, abs=0.005)


def test_noise_has_mean_zero_and_sd_one(lab: SimpleNamespace) -> None:
    rng = np.random.default_rng(0)
    for name, noise in lab.verdict_studies.NOISE.items():
        x = noise(rng, (400_000,))
        assert abs(x.mean()) < 0.01, name
        assert x.std() == pytest.approx(1.0, abs=0.05), name


# --- the stored figures and the page ------------------------------------------------------------------------


def stored(part: str) -> dict[str, list[dict[str, object]]]:
    found = json.loads((ROOT / "calibration" / "figures" / f"{part}.json").read_text())
    assert isinstance(found, dict)
    return found


def test_stored_posteriors_are_calibrated(lab: SimpleNamespace) -> None:
    rows = stored("sbc")["rows"]
    known = {(m.method, q): m for m in lab.sbc_models.MODELS for q in m.quantities}
    assert {(r["method"], r["quantity"]) for r in rows} == set(known)
    for row in rows:
        m = known[row["method"], row["quantity"]]
        assert row["n"] == m.replications
        if m.exact:
            assert min(row["chi2_p"], row["ks_p"]) >= lab.sbc.LEAST, row
            assert not off(row), row


def test_stored_verdicts(lab: SimpleNamespace) -> None:
    studies = stored("verdicts")["studies"]
    assert [(s["method"], s["data"]) for s in studies] == [(s.method, s.data) for s in lab.verdicts.STUDIES]
    for study in studies:
        assert np.array(study["shares"]).sum(axis=-1) == pytest.approx(1.0, abs=2e-4)
    # In the first setting of each study the method's assumptions hold. The cards have the exceptions: three
    # tasks won of three (sign), five and ten units of each model (rank sum), up to 20 tasks (Friedman).
    first = {
        s["method"]: max(share)
        for s in studies
        for name, share in lab.verdicts.exceeded(s)
        if name == s["settings"][0]
    }
    assert set(first) <= {"sign", "rank_sum", "friedman"}
    assert max(first["rank_sum"], first["friedman"]) < 0.075


@pytest.mark.parametrize("method", ["rank_sum", "friedman"])
def test_a_card_says_how_often_it_is_wrong(method: str) -> None:
    (study,) = (s for s in stored("verdicts")["studies"] if s["method"] == method)
    at_edge = np.array(study["shares"])[:, :, 0, :]  # settings x sizes x verdicts, where A and B are equal
    card = " ".join(str(getattr(bayes, method).__doc__).split())
    for share in np.maximum(at_edge[..., 0], at_edge[..., 2])[:, :2].ravel():
        assert f"{100 * share:.1f}" in card


def test_the_page_says_what_was_measured(lab: SimpleNamespace) -> None:
    page = (ROOT / "docs" / "calibration.md").read_text()
    assert page == lab.run.page(lab.run.stored())
    for picture in re.findall(r"\]\((img/[^)]+)\)", page):
        assert (ROOT / "docs" / picture).exists(), picture


def test_a_part_is_stored_whole(
    lab: SimpleNamespace, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    part = SimpleNamespace(
        measure=lambda scale: {"half": scale / 2},
        text=lambda figures: f"## Half\n\n{figures['half']}",
        draw=lambda figures, folder: None,
    )
    monkeypatch.setitem(sys.modules, "halves", part)
    for name, value in {
        "FIGURES": tmp_path,
        "PARTS": ("halves", "absent"),
        "PAGE": tmp_path / "p.md",
    }.items():
        monkeypatch.setattr(lab.run, name, value)
    lab.run.measure("halves", 0.5)
    assert [p.name for p in tmp_path.iterdir()] == ["halves.json"]
    lab.run.main(["--page"])
    assert (
        (tmp_path / "p.md").read_text().endswith("(share in parentheses): halves (0.5).\n\n## Half\n\n0.25\n")
    )

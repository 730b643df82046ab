"""BibTeX: only what was used, facts that stand elsewhere in the project or in the papers."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from ropewalk import nhst
from ropewalk.methods.joint_models import JOINT_MODELS
from ropewalk.report import Report
from ropewalk.report.references import bibtex, cited, entries, short_form

SOURCE = Path(__file__).parents[2] / "src" / "ropewalk"


def fields(entry: str) -> dict[str, str]:
    return dict(re.findall(r"^  (\w+) = \{(.*)\},$", entry, re.M))


@pytest.mark.parametrize("key", entries())
def test_an_entry_is_whole(key: str) -> None:
    entry = entries()[key]
    kind = re.match(r"@(\w+)\{", entry)
    assert kind
    needed = {
        "article": {"author", "title", "year", "journal", "volume", "pages"},
        "book": {"author", "title", "year", "publisher"},
        "inproceedings": {"author", "title", "year", "booktitle", "pages"},
        "phdthesis": {"author", "title", "year", "school"},
        "misc": {"author", "title", "year"},
    }[kind[1]]
    assert needed <= set(fields(entry))
    assert entry.count("{") == entry.count("}")
    assert entry.isascii()
    assert key.endswith(fields(entry)["year"]) or key == "ropewalk"


def test_every_doi_stands_on_the_card_of_a_method() -> None:
    """Oracle: the docstrings of the methods, whose references were looked up with them."""
    cards = "\n".join(p.read_text(encoding="utf-8") for p in SOURCE.rglob("*.py"))
    known = {doi.rstrip(".,;)") for doi in re.findall(r"doi:\s*(10\.\S+)", cards)}
    known.add("10.1177/2515245918771304")  # the ROPE has no card; as in the manual of R's bayestestR
    ours = {fields(e)["doi"] for e in entries().values() if "doi" in fields(e)}
    assert len(ours) > 20
    assert ours <= known


# As the lists of references of Williams (2026) and of the textbook chapter print them: title, year, and pages
# where they give any.
PRINTED: dict[str, tuple[str, str, str | None]] = {
    "benavoli2017": (
        "Time for a Change: a Tutorial for Comparing Multiple Classifiers Through Bayesian Analysis",
        "2017",
        "1--36",
    ),
    "lacoste2012": (
        "Bayesian Comparison of Machine Learning Algorithms on Single and Multiple Datasets",
        "2012",
        "665--675",
    ),
    "chechile2020": (
        "Bayesian Statistics for Experimental Scientists: "
        "A General Introduction Using Distribution-Free Methods",
        "2020",
        None,
    ),
    "alpaydin1999": (
        "Combined 5x2 cv F Test for Comparing Supervised Classification Learning Algorithms",
        "1999",
        "1885--1892",
    ),
    "dietterich1998": (
        "Approximate Statistical Tests for Comparing Supervised Classification Learning Algorithms",
        "1998",
        "1895--1923",
    ),
    "delong1988": (
        "Comparing the areas under two or more correlated receiver operating characteristic curves: "
        "a nonparametric approach",
        "1988",
        "837--845",
    ),
    "demsar2006": ("Statistical Comparisons of Classifiers over Multiple Data Sets", "2006", None),
    "hansen2011": ("The Model Confidence Set", "2011", "453--497"),
    "gelman2013": ("Bayesian Data Analysis", "2013", None),
    "cohen1988": ("Statistical Power Analysis for the Behavioral Sciences", "1988", None),
    "rasmussen1996": (
        "Evaluation of Gaussian Processes and Other Methods for Non-linear Regression",
        "1996",
        None,
    ),
    "montgomery2013": ("Design and Analysis of Experiments", "2013", None),
    "nemenyi1963": ("Distribution-free Multiple Comparisons", "1963", None),
}


@pytest.mark.parametrize("key", PRINTED)
def test_titles_years_and_pages_are_those_that_the_papers_cite(key: str) -> None:
    title, year, pages = PRINTED[key]
    entry = fields(entries()[key])
    assert _plain(entry["title"]) == _plain(title)
    assert entry["year"] == year
    assert pages is None or entry["pages"] == pages


def _plain(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "", title.lower())


def test_every_key_points_at_an_entry_and_every_entry_is_pointed_at() -> None:
    """Oracle for methods and classical tests: the keys that stand in their files."""
    joint = {key for model in JOINT_MODELS.values() for key in model.sources}
    rooms = (
        *(SOURCE / "methods").glob("*.py"),
        *(SOURCE / "nhst").glob("*.py"),
        SOURCE / "report" / "prose.py",
    )
    files = "".join(p.read_text(encoding="utf-8") for p in rooms)
    named = {key for key in entries() if f'"{key}"' in files}
    others = {"kruschke2018", "williams2026", "newton2004", "holm1979", "cohen1988", "ropewalk"}
    assert joint | named | others == set(entries())


def test_every_classical_test_that_a_report_shows_names_its_source() -> None:
    d, z = [0.1, 0.3, 0.2, -0.1], [[0.9, 0.8, 0.7], [0.8, 0.7, 0.9], [0.6, 0.5, 0.4], [0.9, 0.6, 0.5]]
    truth, a, b = [0, 1, 1, 0], [0.2, 0.9, 0.7, 0.4], [0.3, 0.6, 0.2, 0.1]
    auroc = "auroc"
    folds = [[0.1, 0.3], [0.2, 0.1], [0.3, 0.2], [0.1, 0.2], [0.2, 0.2]]
    found = [
        *(nhst.mcnemar(3, 4), nhst.mcnemar(30, 40), nhst.paired_t(d), nhst.corrected_t(d, rho=0.1)),
        *(nhst.wilcoxon(d), nhst.sign(d), nhst.permutation(d), nhst.delong(truth, a, b)),
        *(nhst.five_by_two_t(folds), nhst.five_by_two_f(folds), nhst.cluster_t(d, clusters=[0, 0, 1, 1])),
        *(nhst.friedman(z), nhst.nemenyi(z), nhst.anova(z), nhst.model_confidence_set(z, draws=20)),
        nhst.quasi_f([[0.1, 0.3, 0.2], [0.2, 0.3, 0.6], [0.0, 0.1, 0.3]]),
        nhst.bootstrap(auroc, truth, a, b, draws=20),
        nhst.permutation_metric(auroc, truth, a, b, draws=20),
    ]
    for test in found:
        assert test.sources, test.name
        assert set(test.sources) <= set(entries())


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("rubin1981", "Rubin 1981"),
        ("corani2015", "Corani & Benavoli 2015"),
        ("demsar2006", "Demšar 2006"),
        ("student1908", "Student 1908"),
        ("ropewalk", "The ropewalk authors 2026"),
    ],
)
def test_how_a_text_cites(key: str, said: str) -> None:
    assert short_form(key) == said
    assert cited([key, key]) == f"{said}; {said}"


def test_a_report_has_the_entries_that_it_cites_and_no_others(each: Report) -> None:
    found = re.findall(r"^@\w+\{(\w+),$", each.to_bibtex(), re.M)
    assert found == sorted(set(found))
    assert "ropewalk" in found
    text = each.methods_text()
    for key in entries():
        assert (short_form(key) in text) == (key in found), key


def test_the_entries_of_mcnemar(made: Callable[[str], Report]) -> None:
    text = made("accuracy_difference").to_bibtex()
    assert re.findall(r"^@\w+\{(\w+),$", text, re.M) == [
        "cohen1988", "kruschke2018", "lacoste2012", "mcnemar1947", "ropewalk",
    ]  # fmt: skip
    assert "doi = {10.1007/BF02295996}" in text


def test_each_entry_once() -> None:
    assert bibtex(["cohen1988", "cohen1988"]).count("@book") == 1


def test_a_bib_file_is_saved(made: Callable[[str], Report], tmp_path: Path) -> None:
    report = made("t")
    assert report.save(tmp_path / "x.bib").read_text() == report.to_bibtex()

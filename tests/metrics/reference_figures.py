"""Figures of ranx, jiwer, sacrebleu and lifelines on small data, for test_reference_figures.py.

The data are made here from fixed seeds. To write reference_figures.json again, run
`python tests/metrics/reference_figures.py` where numpy, ranx, jiwer, sacrebleu and lifelines are installed.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

FILE = Path(__file__).with_suffix(".json")
PLACES = (1, 3, 10)


def ranked_lists() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Query, relevance and score of 40 queries with 12 documents each; every query has a relevant one."""
    rng = np.random.default_rng(21)
    query = np.repeat(np.arange(40), 12)
    relevant = (rng.random(480) < 0.2).astype(int)
    relevant[::12] = 1
    return query, relevant, rng.permutation(480) + 100.5 * relevant


def texts() -> tuple[list[str], list[str]]:
    """Hypotheses and references of 30 segments, some of them shorter than six characters."""
    rng = np.random.default_rng(22)
    words = ["the", "cat", "sat", "on", "a", "mat", "and", "went", "away", "slowly", "again", "I", "saw"]
    references = [list(rng.choice(words, size=rng.integers(1, 12))) for _ in range(30)]
    hypotheses = []
    for reference in references:
        said = [w if rng.random() < 0.75 else str(rng.choice(words)) for w in reference]
        said += list(rng.choice(words, size=rng.integers(0, 3)))
        hypotheses.append(said[rng.integers(0, 2) :] or ["a"])
    return [" ".join(h) for h in hypotheses], [" ".join(r) for r in references]


def survival() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Times with ties, whether the event was observed, and predictions with ties."""
    rng = np.random.default_rng(23)
    time = np.ceil(rng.exponential(10, 120))
    return time, rng.random(120) < 0.6, np.round(time / 5 + rng.normal(0, 2, 120))


def figures() -> dict[str, float]:
    """What the references say."""
    import jiwer
    from lifelines.utils import concordance_index
    from ranx import Qrels, Run, evaluate
    from sacrebleu.metrics import CHRF

    query, relevant, score = ranked_lists()
    run: dict[str, dict[str, float]] = {}
    true: dict[str, dict[str, int]] = {}
    for i, (q, y, s) in enumerate(zip(query, relevant, score, strict=True)):
        run.setdefault(f"q{q}", {})[f"d{i}"] = float(s)
        if y:
            true.setdefault(f"q{q}", {})[f"d{i}"] = 1
    names = {"hit": "hit_rate", "recall": "recall", "precision": "precision", "mrr": "mrr", "map": "map"}
    ours = {f"{name}@{k}": f"{theirs}@{k}" for name, theirs in names.items() for k in PLACES}
    ours |= {"mrr": "mrr", "map": "map"}
    found = {
        name: float(evaluate(Qrels(true), Run(run), theirs, make_comparable=True))
        for name, theirs in ours.items()
    }
    hypotheses, references = texts()
    found["wer"] = jiwer.wer(references, hypotheses)
    found["cer"] = jiwer.cer(references, hypotheses)
    found["chrf"] = CHRF().corpus_score(hypotheses, [references]).score / 100
    time, observed, said = survival()
    found["concordance"] = float(concordance_index(time, said, observed))
    return found


if __name__ == "__main__":
    FILE.write_text(json.dumps(figures(), indent=1) + "\n")

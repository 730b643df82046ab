"""Careless inputs by what they leave open, each with what ropewalk makes of it.

`docs/refuses.md` is made from this table and those next to it (`make refuses`), so that it cannot
go stale.
"""

from __future__ import annotations

from tests.refuse.careless_inputs import (
    Case,
    answered,
    attempts,
    between,
    both,
    compare,
    folds,
    gate,
    lacking,
    long,
    predictions,
    right,
    sides,
    summed_up,
    table,
    two,
    wide,
)

UNCLEAR = "not clear whether a higher"
LOWER = ("toxicity", "seconds", "inference_time", "price", "wer", "perplexity", "hallucination_rate", "cost")
UNKNOWN = ("quux", "rating", "tokens", "bias", "attack_success_rate", "result")

CASES: list[Case] = [
    # --- direction -----------------------------------------------------------------------------------------
    *(case for name in LOWER for case in answered(f"`{name}` goes up", two(name, 0.1, 0.5, 0.3), best="old")),
    *(
        gate(
            f"`{name}`, which says nothing about the direction",
            two(name, 0.1, 0.5, 0.3),
            outcome="refuses",
            says=UNCLEAR,
        )
        for name in UNKNOWN
    ),
    *(
        compare(
            f"`{name}`, which says nothing about the direction",
            two(name, 0.1, 0.5, 0.3),
            outcome="warns",
            says=UNCLEAR,
        )
        for name in UNKNOWN
    ),
    gate(
        "accuracy with --lower-is-better",
        two("accuracy", 0.1, 0.5, 0.3),
        "--lower-is-better",
        outcome="right",
        best="baseline",
    ),
    *both(
        "`neg_mean_squared_error`, where higher is better",
        two("neg_mean_squared_error", -0.5, -0.1, 0.3),
        outcome="right",
        best="new",
    ),
    *both("`1 - auc`, where lower is better", two("1 - auc", 0.1, 0.5, 0.3), outcome="right", best="old"),
    *both(
        "`tokens_per_second`, where higher is better",
        two("tokens_per_second", 1, 5, 3),
        outcome="right",
        best="new",
    ),
    compare(
        "a column per model, real-valued, without a metric name",
        wide("id,svm,forest", "id", "share", "high"),
        outcome="warns",
        says=UNCLEAR,
    ),
    compare(
        "columns `svm_loss` and `forest_loss`",
        wide("id,svm_loss,forest_loss", "id", "share", "high"),
        "--model",
        "svm_loss",
        "--model",
        "forest_loss",
        outcome="warns",
        says="lower is assumed",
    ),
    # --- missing answers -----------------------------------------------------------------------------------
    gate(
        "the candidate crashed on half of the inputs",
        lacking("correct", 100),
        outcome="refuses",
        says="lack a result from one of the models",
    ),
    gate("the candidate lacks one example", lacking("correct", 1), outcome="refuses", says="1 of 200 units"),
    gate(
        "half is missing, counted as wrong",
        lacking("correct", 100),
        "--missing",
        "worst",
        outcome="right",
        best="baseline",
    ),
    gate(
        "half is missing, left out on purpose",
        lacking("correct", 100),
        "--missing",
        "drop",
        "--margin",
        "0.1",
        outcome="right",
        best="candidate",
    ),
    gate(
        "the baseline lacks half, counted as wrong for the candidate only",
        lacking("correct", 100, of="old"),
        "--missing",
        "worst",
        "--margin",
        "0.1",
        outcome="right",
        best="candidate",
    ),
    *both(
        "one model lacks 50%",
        lacking("correct", 100),
        outcome="refuses",
        says="100 of 200 units (50%)",
        at_the_gate=("refuses", "100 of 200 units (50%)"),
    ),
    *both("one model lacks 10%", lacking("correct", 20), outcome="warns", says="20 of 200 units (10%)"),
    *both(
        "one model lacks 50%, left out on purpose",
        lacking("correct", 100),
        "--missing",
        "drop",
        outcome="warns",
        says="100 of 200 units (50%)",
        at_the_gate=("right", "100 of 200 units (50%)"),
    ),
    compare("empty cells", wide("id,svm,forest", "id", "answer", "empty"), outcome="refuses", says="empty"),
    compare(
        "a dash instead of a score",
        wide("id,svm,forest", "id", "answer", "dash"),
        outcome="refuses",
        says="no finite number",
    ),
    compare(
        "nan instead of a score",
        wide("id,svm,forest", "id", "share", "nan"),
        outcome="refuses",
        says="no finite number",
    ),
    gate(
        "missing seconds counted as the worst, which does not exist",
        lambda folder: [
            two("seconds", 1, 5, 3)(folder)[0],
            table(folder / "new.csv", "id,seconds", [(i, 2.0 + i / 90) for i in range(100)]),
        ],
        "--missing",
        "worst",
        outcome="refuses",
        says="have no worst value",
    ),
    # --- scale, ROPE and margin ----------------------------------------------------------------------------
    *both(
        "one model in percent, the other in fractions",
        two("accuracy", 0.7, 0.9, 0.02, times=100),
        outcome="refuses",
        says="in percent",
    ),
    gate(
        "the candidate in percent, the baseline in fractions",
        two("accuracy", 0.7, 0.9, 0.02, times=100),
        outcome="refuses",
        says="in percent",
    ),
    compare(
        "folds of one model in percent",
        long("model,fold,accuracy", lambda r: folds(r, times=100)),
        outcome="refuses",
        says="in percent",
    ),
    *both(
        "error rates of one model in percent",
        two("error_rate", 0.1, 0.3, 0.02, times=100),
        outcome="refuses",
        says="in percent",
    ),
    compare(
        "a wide table with one column in percent",
        wide("id,svm,forest", "id", "share", "percent"),
        outcome="refuses",
        says="in percent",
    ),
    *(
        case
        for x in ("1", "0.5", "0.6", "2", "5")
        for case in both(
            f"--rope {x}, --margin {x} on accuracies",
            lacking("correct", 0),
            "--rope",
            x,
            outcome="refuses",
            says="wider than the range" if float(x) > 1 else "of the range",
        )
    ),
    *both(
        "--rope -1,0.01 on accuracies",
        lacking("correct", 0),
        "--rope",
        "-1,0.01",
        outcome="refuses",
        says="of the range",
        at_the_gate=("refuses", "valid float"),
    ),
    *both(
        "--rope 0.2 on accuracies",
        lacking("correct", 0),
        "--rope",
        "0.2",
        outcome="warns",
        says="20 percentage points",
        at_the_gate=("right", "20 percentage points"),
    ),
    *both(
        "--rope 0.01 on percent",
        two("accuracy", 70, 90, 2),
        "--rope",
        "0.01",
        outcome="warns",
        says="for 1 point say 1",
        at_the_gate=("right", "the scores are in percent"),
    ),
    *both(
        "--rope 3sd",
        two("accuracy", 0.7, 0.9, 0.02),
        "--rope",
        "3sd",
        outcome="refuses",
        says="standard deviations",
        at_the_gate=("refuses", "valid float"),
    ),
    *both(
        "--rope 100 on seconds between 1 and 5",
        two("seconds", 1, 5, 0.1),
        "--rope",
        "100",
        outcome="refuses",
        says="wider than the scores",
    ),
    *both(
        "--rope 0,01 with a decimal comma",
        lacking("correct", 0),
        "--rope",
        "0,01",
        outcome="refuses",
        says="decimal comma",
        at_the_gate=("refuses", "valid float"),
    ),
    *both(
        "--rope -0.01",
        lacking("correct", 0),
        "--rope",
        "-0.01",
        outcome="refuses",
        says="ROPE",
        at_the_gate=("refuses", "the margin is -0.01"),
    ),
    *both(
        "--threshold 95",
        lacking("correct", 0),
        "--threshold",
        "95",
        outcome="refuses",
        says="threshold",
        at_the_gate=("refuses", "the probability is 95"),
    ),
    gate(
        "--probability 95",
        lacking("correct", 0),
        "--probability",
        "95",
        outcome="refuses",
        says="probability",
    ),
    gate("--margin -0.01", lacking("correct", 0), "--margin", "-0.01", outcome="refuses", says="margin"),
    compare(
        "scores with decimal commas",
        wide("id,svm,forest", "id", "comma", "comma"),
        outcome="refuses",
        says="decimal point",
    ),
    compare(
        "scores with percent signs",
        wide("id,svm,forest", "id", "sign", "sign"),
        outcome="refuses",
        says="decimal point",
    ),
    # --- roles ---------------------------------------------------------------------------------------------
    *(
        compare(
            f"a wide table with the column `{name}`",
            wide(f"id,svm,forest,{name}", "id", "answer", "answer", kind),
            outcome="refuses",
            says=name,
        )
        for name, kind in (
            ("text_length", "whole"),
            ("price", "money"),
            ("age", "years"),
            ("n_tokens", "whole"),
            ("latency_ms", "money"),
            ("zork", "whole"),
            ("year", "whole"),
            ("confidence", "share"),
            ("outcome", "answer"),
            ("spam", "answer"),
            ("accuracy", "share"),
            ("price_paid", "money"),
        )
    ),
    compare(
        "a truth called `zork` next to probabilities",
        wide("id,zork,svm,forest", "id", "answer", "share", "high"),
        outcome="refuses",
        says="zork",
    ),
    compare(
        "digits in three columns, one of which is the truth",
        wide("id,zork,svm,forest", "id", "digit", "digit", "digit"),
        outcome="warns",
        says="one of these columns is the truth",
    ),
    compare(
        "right and wrong in three columns, one of which may be the truth",
        wide("id,zork,svm,forest", "id", "answer", "answer", "good"),
        outcome="warns",
        says="one of these columns is the truth",
    ),
    compare(
        "a wide table with a text column",
        wide("id,svm,forest,note", "id", "answer", "good", "text"),
        outcome="right",
        best="forest",
    ),
    gate(
        "a file with two models on one side",
        lambda folder: [
            wide("id,svm,forest", "id", "answer", "good")(folder)[0],
            lacking("correct", 0)(folder)[1],
        ],
        outcome="refuses",
        says="holds 2 models",
    ),
    compare(
        "two columns that could be the score",
        long(
            "model,id,alpha,beta", lambda r: [(m, i, r.random(), r.random()) for m in "ab" for i in range(40)]
        ),
        outcome="refuses",
        says="could be the score",
    ),
    # --- order, ids and duplicates -------------------------------------------------------------------------
    compare(
        "--by-position, one file sorted differently",
        predictions(shuffle=True, ids=False),
        "--by-position",
        outcome="warns",
        says="paired by position",
    ),
    gate(
        "--by-position, one file sorted differently",
        predictions(shuffle=True, ids=False),
        "--by-position",
        outcome="refuses",
        says="do not seem to match",
    ),
    *both(
        "--by-position with the same ids in another order",
        predictions(shuffle=True),
        "--by-position",
        outcome="refuses",
        says="the same ids in different orders",
    ),
    *both("files without ids", predictions(ids=False), outcome="refuses", says="no column says which row"),
    *both("one file sorted differently, with ids", predictions(shuffle=True), outcome="undecided"),
    *both(
        "ids that have nothing in common",
        lambda folder: [
            table(folder / "a.csv", "id,correct", [(f"img_{i}", i % 2) for i in range(40)]),
            table(folder / "b.csv", "id,correct", [(i, i % 3 == 0) for i in range(40)]),
        ],
        outcome="refuses",
        says="share no ids",
    ),
    *both(
        "an id that occurs twice",
        lambda folder: [
            table(folder / "a.csv", "id,correct", [(min(i, 38), i % 2) for i in range(40)]),
            table(folder / "b.csv", "id,correct", [(i, i % 3 == 0) for i in range(40)]),
        ],
        outcome="refuses",
        says="more than one row",
    ),
    compare(
        "copies of rows under different ids",
        wide("id,question,svm,forest", "id", "copy", "answer", "good"),
        outcome="right",
        says="hold the same text",
        best="forest",
    ),
    *both(
        "the same file twice",
        lambda folder: [two("accuracy", 0.1, 0.5, 0)(folder)[0]] * 2,
        outcome="refuses",
        says="twice",
        at_the_gate=("right", "the same files on both sides"),
    ),
    *both(
        "labels with another spelling",
        predictions(flip=True),
        outcome="refuses",
        says="does not occur in the truth",
    ),
    # --- dependence and attempts ---------------------------------------------------------------------------
    *(
        compare(
            f"{n} rows of real-valued scores without ids",
            wide("svm,forest", "share", "high", n=n),
            "--higher-is-better",
            outcome="warns",
            says="scores per model without ids",
        )
        for n in (5, 10, 25, 100)
    ),
    compare("a column called `fold`", long("model,fold,accuracy", folds), outcome="right", best="b"),
    compare(
        "8 attempts against 5",
        long("model,id,attempt,correct", lambda r: attempts(r, a=8, b=5)),
        outcome="right",
        says="attempts at the same item were averaged",
        best="a",
    ),
    compare(
        "8 repeats against 5",
        long("model,id,repeat,correct", lambda r: attempts(r, a=8, b=5)),
        outcome="right",
        says="attempts at the same item were averaged",
        best="a",
    ),
    compare(
        "several rows per item and no column that tells them apart",
        long("model,id,correct", lambda r: [(m, i, k) for m, i, _, k in attempts(r, a=3, b=3)]),
        outcome="refuses",
        says="more than one row",
    ),
    # --- orientation and other files -----------------------------------------------------------------------
    compare(
        "a table with one row per model",
        long(
            "model," + ",".join(f"q{i}" for i in range(30)),
            lambda r: [("a", *r.integers(0, 2, 30)), ("b", *r.integers(0, 2, 30))],
        ),
        outcome="refuses",
        says="it is transposed",
    ),
    compare(
        "a table with one row per model, in a column `name`",
        long(
            "name," + ",".join(f"q{i}" for i in range(30)),
            lambda r: [("a", *r.integers(0, 2, 30)), ("b", *r.integers(0, 2, 30))],
        ),
        outcome="refuses",
        says="the other way round",
    ),
    compare(
        "one number per model",
        long("model,accuracy", lambda r: [("a", 0.8), ("b", 0.9)]),
        outcome="refuses",
        says="one score per model",
    ),
    compare(
        "votes between two models",
        long("question_id,model_a,model_b,winner", lambda r: [(i, "x", "y", "model_a") for i in range(30)]),
        outcome="refuses",
        says="votes",
    ),
    compare(
        "only one model",
        long("model,id,correct", lambda r: [("a", i, i % 2) for i in range(30)]),
        outcome="refuses",
        says="only one model",
    ),
    compare(
        "a metric that the table does not hold",
        long("model,fold,accuracy", folds),
        "--metric",
        "auroc",
        outcome="refuses",
        says="none of them is called",
    ),
    compare(
        "a metric that the table holds",
        long(
            "model,id,accuracy,seconds",
            lambda r: [
                (m, i, r.random(), (3 if m == "a" else 1) + r.random()) for m in "ab" for i in range(60)
            ],
        ),
        "--metric",
        "seconds",
        outcome="right",
        best="b",
    ),
    compare(
        "a reference that does not exist",
        long("model,fold,accuracy", folds),
        "--reference",
        "c",
        outcome="refuses",
        says='no model "c"',
    ),
    # --- values that are not results -----------------------------------------------------------------------
    *(
        door(
            f"{mark} where the model crashed",
            sides("id,correct", right(0.7), right(0.95, mark=mark, at=lambda i: i % 4 == 0)),
            outcome="refuses",
            says="it cannot be below 0",
        )
        for door in (compare, gate)
        for mark in (-1, -999)
    ),
    *(
        door(
            "a row called mean at the end",
            sides("id,accuracy", summed_up(0.5, 0.7), summed_up(0.6, 0.8)),
            outcome="warns" if door is compare else "right",
            says='"mean" looks like a summary of the other rows',
            best="candidate",
        )
        for door in (compare, gate)
    ),
    *both(
        "one judge from 0 to 10, the other from 0 to 100",
        sides("id,judge_score", between(5, 9), between(60, 95)),
        "--higher-is-better",
        outcome="warns",
        says="are they on the same scale?",
    ),
    *both(
        "probabilities in percent and as fractions, under an unknown name",
        sides("id,quux", between(0.5, 0.7), between(55, 75)),
        "--higher-is-better",
        outcome="refuses",
        says="are in percent and those of",
    ),
    # --- more that a stranger might have -------------------------------------------------------------------
    *(
        door(
            "mistakes as 0 and 1 in a column `wrong`",
            sides("id,wrong", right(0.1), right(0.4)),
            outcome="right",
            best="old" if door is compare else "baseline",
        )
        for door in (compare, gate)
    ),
    *(
        door(
            "ratings from 1 to 5 called `quality`",
            sides("id,quality", between(1, 3), between(3, 5)),
            outcome="right",
            best="new" if door is compare else "candidate",
        )
        for door in (compare, gate)
    ),
    *(
        door(
            "`latency_reduction`, where higher is better",
            sides("id,latency_reduction", between(1, 2), between(0, 1)),
            outcome="right",
            best="old" if door is compare else "baseline",
        )
        for door in (compare, gate)
    ),
    *(
        door(
            "ids 7 in one file and 7.0 in the other",
            sides("id,correct", right(0.6), lambda r, i: (f"{i}.0", int(r.random() < 0.9))),
            outcome="right",
            best="new" if door is compare else "candidate",
        )
        for door in (compare, gate)
    ),
    *(
        door(
            "ids 0007 in one file and 7 in the other",
            sides("id,correct", right(0.6), lambda r, i: (f"{i:04d}", int(r.random() < 0.9))),
            outcome="refuses",
            says="share no ids",
        )
        for door in (compare, gate)
    ),
    *(
        door(
            "a standard error next to the accuracy",
            sides("id,accuracy,accuracy_stderr", between(0.5, 0.7, 0.02), between(0.6, 0.8, 0.02)),
            outcome="right",
            best="new" if door is compare else "candidate",
        )
        for door in (compare, gate)
    ),
    *(
        door(
            "several checkpoints per example",
            sides("id,epoch,correct", *[lambda r, i: (i // 3, i % 3, int(r.random() < 0.8))] * 2),
            outcome="refuses",
            says="more than one row",
        )
        for door in (compare, gate)
    ),
    *(
        door(
            "accuracy and cost in the same file",
            sides("id,accuracy,cost", between(0.5, 0.7, 1.5), between(0.6, 0.8, 2.5)),
            outcome="refuses",
            says="several columns that could be the score",
        )
        for door in (compare, gate)
    ),
    gate(
        "p-values in place of scores",
        sides("id,p_value", between(0, 1), between(0, 0.5)),
        outcome="refuses",
        says=UNCLEAR,
    ),
    compare(
        "p-values in place of scores",
        sides("id,p_value", between(0, 1), between(0, 0.5)),
        outcome="warns",
        says=UNCLEAR,
    ),
    *both(
        "`rank` of the right answer",
        sides("id,rank", between(1, 3), between(4, 9)),
        outcome="right",
        best="old",
    ),
]

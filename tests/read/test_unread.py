"""Files of tools without a reader: the error names what they look like, and what can be read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ropewalk as rw
from ropewalk.errors import ReadError
from ropewalk.read.formats.registry import known_formats

TABLES = {
    "votes between two models (Chatbot Arena)": "model_a,model_b,winner\na,b,model_a\nb,a,tie\n",
    "pairwise judgements of MT-bench": "question_id,model_1,model_2,g1_winner\n1,a,b,model_1\n",
    "AlpacaEval annotations": "instruction,generator_1,generator_2,preference\nx,a,b,1\n",
    "votes between a left and a right answer": "prompt,left,right,preference\np,x,y,left\nq,x,y,right\n",
    "votes between two answers": "prompt,response_a,response_b,preferred\np,x,y,a\n",
    "preference pairs for training a reward model": "prompt,chosen,rejected\np,x,y\n",
    "predictions of OpenCompass": "origin_prompt,prediction\np,x\n",
    "votes between two models": "player_a,player_b,result\na,b,1-0\nb,a,0-1\n",
    "a list of winners and losers": "id,winner,loser\n1,a,b\n2,b,a\n",
    "test cases of DeepEval without scores": "input,actual_output,expected_output\nx,y,z\n",
    "a table of promptfoo": "x,[openai:gpt-4] Say {{x}}\n1,[PASS] one\n2,[FAIL] three\n",
}
DOCUMENTS = {
    "the result of DeepEval's `evaluate()`": {
        "test_results": [{"name": "t", "success": True, "metrics_data": [{"name": "m", "score": 0.5}]}]
    },
    "the cache of DeepEval": {"test_cases_lookup_map": {"{}": {"cached_metrics_data": []}}},
    "a summary of a test run of DeepEval": {"testPassed": 2, "testFailed": 0, "testCases": []},
    "the configuration of promptfoo": {"prompts": ["a"], "providers": ["b"], "tests": [{"vars": {}}]},
    "predictions of OpenCompass": {"0": {"origin_prompt": "p", "prediction": "x", "gold": "x"}},
    "a trace of Langfuse": {"traceId": "1", "observations": []},
}


@pytest.mark.parametrize("looks_like", TABLES)
@pytest.mark.parametrize("doors", ["compare", "gate", "read"])
def test_a_table_is_named(tmp_path: Path, looks_like: str, doors: str) -> None:
    path = tmp_path / "d.csv"
    path.write_text(TABLES[looks_like])
    with pytest.raises(ReadError) as caught:
        rw.gate([path], [path], margin=0.01) if doors == "gate" else getattr(rw, doors)(path)
    assert caught.value.what.endswith(f"d.csv looks like {looks_like}, which ropewalk does not read yet")
    assert all(f.NAME in (caught.value.hint or "") for f in known_formats())


@pytest.mark.parametrize("looks_like", DOCUMENTS)
@pytest.mark.parametrize("indent", [None, 2])
def test_a_document_is_named(tmp_path: Path, looks_like: str, indent: int | None) -> None:
    path = tmp_path / "d.json"
    path.write_text(json.dumps(DOCUMENTS[looks_like], indent=indent))
    with pytest.raises(ReadError, match="which ropewalk does not read yet") as caught:
        rw.compare([path])
    assert f"looks like {looks_like}," in caught.value.what


def test_ordinary_columns_are_not_taken_for_votes(tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    path.write_text("id,left,right\n" + "".join(f"{i},{i % 2},{i % 3 % 2}\n" for i in range(40)))
    assert rw.read(path).models == ("left", "right")


def test_words_instead_of_numbers_get_the_fix(tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    path.write_text("id,a,b\n" + "".join(f"{i},{i % 2},{i % 3 % 2}\n" for i in range(40)) + "41,pass,1\n")
    with pytest.raises(rw.errors.CellError, match="no finite number") as caught:
        rw.compare(path)
    assert "pass and fail" in (caught.value.hint or "")
    assert "--missing worst" in (caught.value.hint or "")

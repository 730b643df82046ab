"""The number of looks at the same test set, and their effect on the chance of a wrong answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ropewalk.errors import DataError, OptionError, short
from ropewalk.read.content import content

_SCHEMA = "ropewalk-gate-ledger/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Looks:
    """How often a test set was used for decisions, and what that does to their error rates.

    Parameters
    ----------
    count : int
        Number of this look at the test set.
    probability : float
        Probability at which each look is decided.
    families : int, default 1
        1 with one task, 2 with several: one for the mean over the tasks, and one that the tasks share.

    Notes
    -----
    A wrong pass (of a candidate that is worse by more than the margin) has at most the chance 1 - probability
    per look, so in N looks at most N (1 - probability): Bonferroni's bound, which holds however the looks
    depend on each other. A wrong fail likewise, times `families`.

    Examples
    --------
    >>> from ropewalk.gate import Looks
    >>> Looks(count=4, probability=0.95).wrong_pass
    0.2
    """

    count: int
    probability: float
    families: int = 1

    def __post_init__(self) -> None:
        if isinstance(self.count, bool) or not isinstance(self.count, int) or self.count < 1:
            raise OptionError(
                f"looks is {short(self.count)}",
                hint="Give the number of decisions so far, including this one: 1 or more.",
            )

    @property
    def wrong_pass(self) -> float:
        """Upper bound of the chance of at least one wrong pass in all looks."""
        return round(min(1.0, self.count * (1 - self.probability)), 10)

    @property
    def wrong_fail(self) -> float:
        """Upper bound of the chance of at least one wrong fail in all looks."""
        return round(min(1.0, self.families * self.count * (1 - self.probability)), 10)

    @property
    def keeping(self) -> float:
        """Probability for each look that would keep all of them together at the chance of one look."""
        return 1 - (1 - self.probability) / self.count

    @property
    def sentence(self) -> str:
        """Effect of this number of looks, in a sentence."""
        one = 1 - self.probability
        said = (
            f"look {self.count:,} at this baseline: the chance of at least one wrong pass is at most "
            f"{self.count:,} × {one:.3g} = {self.wrong_pass:.3g}"
        )
        if self.families > 1:
            said += f", of a wrong fail at most {self.wrong_fail:.3g}"
        if self.count > 1:
            said += f"; --probability {self.keeping:.6g} would keep the first at {one:.3g}"
        return said


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """Candidates that were compared with each baseline, by the SHA-256 of their files or rows.

    Parameters
    ----------
    looks : dict, optional
        For each baseline its candidates.

    Examples
    --------
    >>> from ropewalk.gate import Ledger
    >>> ledger = Ledger().with_look("base", "first").with_look("base", "second").with_look("base", "first")
    >>> ledger.count("base")
    2
    """

    looks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> Ledger:
        """Read the ledger of a file.

        Parameters
        ----------
        path : Path
            The file.

        Returns
        -------
        Ledger
            An empty one where there is no file yet.

        Raises
        ------
        DataError
            If the file is not a ledger.
        """
        try:
            found = json.loads(content(path))
            looks = {str(k): tuple(map(str, v)) for k, v in found["looks"].items()}
            wrong = found["schema"] != _SCHEMA
        except FileNotFoundError:
            return cls()
        except OSError as error:
            raise DataError(f"the ledger {path} cannot be read: {error.strerror}") from None
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            wrong = True
        if wrong:
            raise DataError(
                f"{path} is not a ledger of decisions",
                hint=f'It should be JSON with "schema": "{_SCHEMA}". Give another file; it will be created.',
            )
        return cls(looks=looks)

    def with_look(self, baseline: str, candidate: str) -> Ledger:
        """The ledger with one more look; the same candidate again is the same look.

        Parameters
        ----------
        baseline, candidate : str
            Digests of the two sides.

        Returns
        -------
        Ledger
            A new ledger.
        """
        seen = self.looks.get(baseline, ())
        return Ledger(looks={**self.looks, baseline: seen if candidate in seen else (*seen, candidate)})

    def count(self, baseline: str) -> int:
        """Number of candidates that were compared with a baseline.

        Parameters
        ----------
        baseline : str
            Digest of the baseline.

        Returns
        -------
        int
            The number.
        """
        return len(self.looks.get(baseline, ()))

    def to_json(self) -> str:
        """Render the ledger as a JSON document.

        Returns
        -------
        str
            Content of the file.
        """
        return json.dumps({"schema": _SCHEMA, "looks": self.looks}, indent=2, sort_keys=True) + "\n"

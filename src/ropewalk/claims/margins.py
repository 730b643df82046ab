"""From printed accuracies to counts of right answers, and to the tables of outcomes that match them."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from math import ceil, floor

from ropewalk.claims.results import Published
from ropewalk.errors import CellError, OptionError, short
from ropewalk.sums import whole

_MOST = 10**9  # examples


def published(model: str, accuracy: object, n: object) -> Published:
    """Check one row; the digits of the accuracy determine how far it may have been rounded.

    >>> p = published("svm", "0.86", 1000)
    >>> p.right, p.least_right, p.most_right
    (860, 855, 865)
    """
    (size,) = whole(n=n)
    if not 1 <= size <= _MOST:
        raise CellError(f"{model}: n is {size:,}", hint=f"Give the number of test examples, 1 to {_MOST:,}.")
    value, half = _parsed(model, accuracy)
    # A float such as 43/51 has all its digits: deviations below a millionth of an example are ignored.
    slack = Decimal("1e-6")
    least, most = ceil((value - half) * size - slack), floor((value + half) * size + slack)
    least, most = max(least, 0), min(most, size)
    near = round(value * size)
    if least > most:
        raise CellError(
            f"{model}: no number of right answers out of {size:,} gives an accuracy of {short(accuracy)}",
            hint=f"{near:,} right answers are {near / size:.6g}. Is n the size of the test set?",
        )
    return Published(
        model=model, accuracy=float(value), n=size, right=near, least_right=least, most_right=most
    )


def _parsed(model: str, accuracy: object) -> tuple[Decimal, Decimal]:
    """Return the accuracy as a share, and half a unit of its last printed digit."""
    text = str(accuracy).strip()
    percent = text.endswith("%")
    try:
        value = Decimal(text.rstrip("%").strip())
    except InvalidOperation:
        value = Decimal("NaN")
    top = 100 if percent else 1
    if not value.is_finite() or not 0 <= value <= top:
        hint = (
            "Give a proportion between 0 and 1, such as 0.863, or a percentage with the % sign, such as "
            "86.3%."
        )
        raise CellError(f"{model}: the accuracy is {short(accuracy)}", hint=hint)
    exponent = value.as_tuple().exponent
    assert isinstance(exponent, int)  # because the value is finite
    half = Decimal(5).scaleb(min(exponent, 0) - 1)
    return (value / 100, half / 100) if percent else (value, half)


@dataclass(frozen=True, slots=True, kw_only=True)
class Margins:
    """Counts of n examples of which A has `right_a` and B has `right_b` right."""

    n: int
    right_a: int
    right_b: int

    @property
    def least_both(self) -> int:
        """The smallest number of examples that both can have right."""
        return max(0, self.right_a + self.right_b - self.n)

    @property
    def most_both(self) -> int:
        return min(self.right_a, self.right_b)

    def table(self, both: int) -> tuple[int, int, int, int]:
        """Return n00, n01, n10, n11 if both are right on `both` examples; the first digit is A."""
        n10, n01 = self.right_a - both, self.right_b - both
        return self.n - both - n10 - n01, n01, n10, both

    def agreement(self, both: int) -> float:
        """The share of examples on which both are right or both are wrong."""
        n00, _, _, n11 = self.table(both)
        return (n00 + n11) / self.n

    def both_for(
        self, *, agreement: float | None, both_right: float | None, nearest: bool = False
    ) -> int | None:
        """Number of examples that both have right, from the known agreement; None if nothing is known.

        A number that does not fit the margins is an error, or is moved to the `nearest` one that does.
        """
        if agreement is None and both_right is None:
            return None
        if both_right is not None:
            wanted, name, given = both_right * self.n, "both-right", both_right
        else:
            assert agreement is not None
            wanted = (agreement * self.n - self.n + self.right_a + self.right_b) / 2
            name, given = "agreement", agreement
        # Both numbers are rounded in print: a deviation below half an example or 0.0005 still fits.
        slack = max(0.5, 0.0005 * self.n)
        if not nearest and not self.least_both - slack <= wanted <= self.most_both + slack:
            low, high = (
                (self.agreement(b) if name == "agreement" else b / self.n)
                for b in (self.least_both, self.most_both)
            )
            raise OptionError(
                f"--{name} {given:g} is impossible with these accuracies",
                hint=f"With {self.right_a:,} and {self.right_b:,} right answers of {self.n:,} it must be "
                f"between {low:.4g} and {high:.4g}.",
            )
        return min(max(round(wanted), self.least_both), self.most_both)

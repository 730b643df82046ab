"""The region of practical equivalence: how it is asked for, and what it becomes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np

from ropewalk.errors import OptionError, short

RopeLike: TypeAlias = "str | float | Sequence[float] | RopeRequest"
Origin: TypeAlias = Literal["given", "point", "sd", "none", "unused"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rope:
    """Region of practical equivalence, and where it comes from.

    Parameters
    ----------
    low, high : float
        Its edges.
    scale : str
        What they are on: score units, phi, or the share of tasks won.
    source : str
        Where it came from, in words.
    in_scores : str
        What it is in score units, in words.
    origin : {"given", "point", "sd", "none", "unused"}, default "given"
        The same for programs: given in score units; a default in percentage points; a share of a standard
        deviation; none where scores have no size; unused by tests without a ROPE.
    share : (float, float), optional
        Edges as a share of a standard deviation, where they are one.
    is_default : bool, default False
        Whether it is the default, rather than set by the user.

    Examples
    --------
    >>> import ropewalk as rw
    >>> report = rw.compare({"a": [0.5, 0.7, 0.6, 0.9], "b": [0.4, 0.65, 0.6, 0.8]}, rope=0.01)
    >>> rope = report.comparisons[0].rope
    >>> rope.low, rope.high, rope.origin
    (-0.01, 0.01, 'given')
    """

    low: float
    high: float
    scale: str
    source: str
    in_scores: str
    origin: Origin = "given"
    share: tuple[float, float] | None = None
    is_default: bool = False

    @property
    def is_used(self) -> bool:
        """Whether the answer depends on it."""
        return self.origin != "unused"

    @property
    def centre(self) -> float:
        """No difference: 0 of an advantage, one half of phi and of a share of tasks."""
        return 0.0 if self.scale == "score" else 0.5

    @property
    def is_point(self) -> bool:
        """Whether it has no width, so that nothing can be practically equivalent."""
        return self.low == self.high


@dataclass(frozen=True, slots=True, kw_only=True)
class RopeRequest:
    """ROPE as it was asked for: "auto", a share of a standard deviation, or edges in score units.

    Parameters
    ----------
    kind : {"auto", "sd", "score"}
        How it was given.
    low, high : float, default 0.0
        Its edges.
    called : str, default "ROPE"
        What messages call it; a gate has a margin.
    phi : bool, default False
        Whether it has to be on phi, which only right and wrong answers have.

    Examples
    --------
    >>> from ropewalk.decide import RopeRequest
    >>> RopeRequest.parse("0.2sd").low
    -0.2
    """

    kind: Literal["auto", "sd", "score"]
    low: float = 0.0
    high: float = 0.0
    called: str = "ROPE"
    phi: bool = False

    @property
    def half_width(self) -> float:
        """Larger of the two distances from zero."""
        return max(-self.low, self.high)

    @classmethod
    def parse(cls, rope: RopeLike, scale: str | None = None) -> RopeRequest:
        """Read a ROPE as people write it.

        Parameters
        ----------
        rope : float, (float, float), str or RopeRequest
            Half width, pair of edges, "0.2sd", "-0.005,0.02" or "auto".
        scale : {"phi"}, optional
            Scale for right and wrong answers.

        Returns
        -------
        RopeRequest
            What was asked for.

        Raises
        ------
        OptionError
            If it is not a ROPE; the message shows the ways to write one.

        Examples
        --------
        >>> from ropewalk.decide import RopeRequest
        >>> RopeRequest.parse(0.01)
        RopeRequest(kind='score', low=-0.01, high=0.01, called='ROPE', phi=False)
        >>> RopeRequest.parse("-0.005,0.02").half_width
        0.02
        """
        if scale is not None:
            return cls.parse(rope)._on_scale(scale)
        if isinstance(rope, RopeRequest):
            return rope
        kind: Literal["sd", "score"] = "score"
        try:
            if isinstance(rope, str):
                text = rope.strip().lower()
                if text == "auto":
                    return cls(kind="auto")
                share = re.fullmatch(r"(.+?)\s*sd", text)
                kind, text = ("sd", share[1]) if share else ("score", text)
                numbers = [float(part) for part in text.split(",")]
            else:
                numbers = [float(x) for x in np.atleast_1d(np.asarray(rope, dtype=np.float64))]
            low, high = (-numbers[0], numbers[0]) if len(numbers) == 1 else numbers
        except (TypeError, ValueError, OverflowError):  # including integers with hundreds of digits
            raise _not_a_rope(rope) from None
        if not (np.isfinite([low, high]).all() and low <= high):
            raise _not_a_rope(rope)
        if isinstance(rope, str) and re.fullmatch(r"\s*0\s*,\s*\d+\s*(sd)?\s*", rope.lower()):
            raise OptionError(
                f'the ROPE "{rope}" looks like a number with a decimal comma',
                hint=f"Use a decimal point: {rope.replace(',', '.')}. A pair of edges is written -0.01,0.02.",
            )
        if not low <= 0 <= high:
            raise OptionError(
                f"the ROPE from {low:g} to {high:g} does not contain 0, so equal models would not be "
                "equivalent",
                hint="Give a lower edge of at most 0 and an upper edge of at least 0.",
            )
        return cls(kind=kind, low=low, high=high)

    def _on_scale(self, scale: str) -> RopeRequest:
        if scale != "phi":
            raise OptionError(
                f'there is no scale "{scale}"', hint='Use scale="phi" (--scale phi), or omit it.'
            )
        if self.kind == "score":
            raise OptionError(
                "the ROPE is in score units, but the scale is phi",
                hint='Give a fraction of a standard deviation ("0.1sd"), or omit the scale.',
            )
        return replace(self, phi=True)

    @property
    def on_phi(self) -> bool:
        """Whether right and wrong answers are to be compared by phi."""
        return self.phi or self.kind == "sd"


def _not_a_rope(rope: object) -> OptionError:
    return OptionError(
        f"the ROPE {short(repr(rope))} is not understood",
        hint="Give a half width in score units (0.01), a pair of edges (-0.005,0.02), a fraction of a "
        'standard deviation ("0.1sd"), or "auto".',
    )


def share_of_sd(sd: float, low: float, high: float) -> Rope:
    """A ROPE on the advantage from a share of the standard deviation of the differences.

    Parameters
    ----------
    sd : float
        Standard deviation of the differences.
    low : float
        Lower edge, as a share of it.
    high : float
        Upper edge, as a share of it.

    Returns
    -------
    Rope
        The ROPE, in score units.

    Examples
    --------
    >>> rope = share_of_sd(0.2, -0.1, 0.1)
    >>> round(rope.low, 3), round(rope.high, 3)
    (-0.02, 0.02)
    """
    lo, hi = low * sd, high * sd
    return replace(in_scores(lo, hi, _share(low, high), origin="sd"), share=(low, high))


def on_phi(phi_mean: float, disagreement: float, low: float, high: float) -> Rope:
    """An interval around phi = 1/2, from a share of sqrt(phi (1 - phi)) (Williams 2026).

    Parameters
    ----------
    phi_mean : float
        Posterior mean of phi.
    disagreement : float
        Share of examples on which exactly one model is right.
    low : float
        Lower edge, as a share of sqrt(phi (1 - phi)).
    high : float
        Upper edge, as a share of sqrt(phi (1 - phi)).

    Returns
    -------
    Rope
        The ROPE around phi = 1/2.

    Notes
    -----
    The advantage is T (1 - 2 phi) with T the rate of disagreement, so phi = 1/2 - x is an advantage of 2 x T.
    A positive advantage is a phi below 1/2: the edges change sides.

    Examples
    --------
    >>> rope = on_phi(0.5, 0.2, -0.1, 0.1)
    >>> round(rope.low, 3), round(rope.high, 3)
    (0.45, 0.55)
    """
    s = float(np.sqrt(phi_mean * (1 - phi_mean)))
    scores = _span(2 * low * s * disagreement, 2 * high * s * disagreement)
    return Rope(
        low=0.5 - high * s,
        high=0.5 - low * s,
        scale="phi",
        source=_share(low, high),
        in_scores=f"{scores} in accuracy, at {disagreement:.1%} disagreement",
        origin="sd",
        share=(low, high),
    )


def on_advantage(rope: Rope, disagreement: float) -> tuple[float, float]:
    """The edges of a ROPE on the advantage; one on phi is as wide as this rate of disagreement makes it.

    Parameters
    ----------
    rope : Rope
        Region of practical equivalence.
    disagreement : float
        Share of examples on which exactly one model is right.

    Returns
    -------
    tuple[float, float]
        Lower and upper edge, in score units.

    Examples
    --------
    >>> on_advantage(in_scores(-0.01, 0.01, "given"), 0.2)
    (-0.01, 0.01)
    """
    if rope.scale != "phi":
        return rope.low, rope.high
    return 2 * (0.5 - rope.high) * disagreement, 2 * (0.5 - rope.low) * disagreement


def on_share(low: float, high: float, source: str, *, origin: Origin = "given") -> Rope:
    """A ROPE around winning half of the tasks."""
    scores = f"{_span(low, high)} in the share of tasks won"
    return Rope(low=0.5 + low, high=0.5 + high, scale="share", source=source, in_scores=scores, origin=origin)


def in_scores(low: float, high: float, source: str, *, origin: Origin = "given") -> Rope:
    """A ROPE on the advantage, in score units.

    Parameters
    ----------
    low : float
        Lower edge.
    high : float
        Upper edge.
    source : str
        Where it comes from, in words.
    origin : str, default "given"
        Where it comes from, for programs.

    Returns
    -------
    Rope
        The ROPE.

    Examples
    --------
    >>> rope = in_scores(-0.01, 0.01, "given")
    >>> rope.low, rope.high
    (-0.01, 0.01)
    """
    return Rope(low=low, high=high, scale="score", source=source, in_scores=_span(low, high), origin=origin)


def _share(low: float, high: float) -> str:
    return f"{high:g} sd" if low == -high else f"{low:g} sd to {high:g} sd"


def _span(low: float, high: float) -> str:
    return f"±{high:.3g}" if low == -high else f"{low:+.3g} to {high:+.3g}"

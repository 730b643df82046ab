"""Doctests of one file.

A method and its module have the same name, and `from ropewalk import bayes; bayes.t` has to be the function:
it is if the rooms are imported before pytest imports their files one by one.
"""

import ropewalk.bayes
import ropewalk.decide
import ropewalk.nhst
import ropewalk.plot  # noqa: F401

"""Tools of all sorts and the ways in which people ask for them, for training only: the same shape as `known_tools.py` has."""

from . import development, home, office, places, texts, trade

EVERYDAY = (*office.TOOLS, *development.TOOLS, *places.TOOLS, *trade.TOOLS, *home.TOOLS, *texts.TOOLS)

"""Tools of all sorts and the ways in which people ask for them, for training only: the same shape as `known_tools.py` has."""

from . import (
    activities,
    assistant,
    business,
    classics,
    company,
    crafts,
    development,
    home,
    leisure,
    office,
    operations,
    places,
    services,
    shopping,
    texts,
    trade,
)

MODULES = (office, development, places, trade, home, texts, classics, business, leisure, crafts, assistant, operations, shopping, company, services, activities)
EVERYDAY = tuple(tool for module in MODULES for tool in module.TOOLS)

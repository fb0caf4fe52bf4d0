"""Tools of all sorts and the ways in which people ask for them, for training only: the same shape as `known_tools.py` has."""

from . import (
    activities,
    agents,
    assistant,
    business,
    classics,
    company,
    crafts,
    culture,
    daily,
    development,
    home,
    household,
    institutions,
    leisure,
    living,
    machines,
    office,
    operations,
    places,
    services,
    shopping,
    texts,
    trade,
    workplace,
)

MODULES = (office, development, places, trade, home, texts, classics, business, leisure, crafts, assistant, operations, shopping, company, services, activities, agents, daily, institutions, culture, household, workplace, machines, living)
EVERYDAY = tuple(tool for module in MODULES for tool in module.TOOLS)

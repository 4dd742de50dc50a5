"""Random typed workflow expressions over the tables of `workflow_graph`."""

from __future__ import annotations

import random

from hpc_explorer.language.expressions import AGGREGATES, SIGNS, Call, leaf, strings

TABLES = {"runs.csv": ("node", "state", "seconds", "peak"), "nodes.csv": ("node", "cores")}
NAMES = ("short.csv", "out.json", "result.csv", "new_table.csv")


def random_workflow(dice: random.Random) -> Call:
    """A chain of one to five steps on one or two tables."""
    if dice.random() < 0.2:
        parts = [_picked(dice, name) for name in dice.sample(sorted(TABLES), 2)]
        table: Call = Call("MergeDataset", tuple(part for part, _ in parts))
        columns = list(dict.fromkeys(column for _, some in parts for column in some))
    else:
        name = dice.choice(sorted(TABLES))
        table, columns = leaf("datasetName", name), list(TABLES[name])
    for _ in range(dice.randint(0, 2)):
        table, columns = _step(dice, table, columns)
    ending = dice.random()
    if ending < 0.5:
        table = _ending(dice, table, columns)
    if ending > 0.3 and not _is_value(table):
        table = Call("SaveDataset", (table, leaf("fileName", dice.choice(NAMES))))
    elif table.name == "datasetName":
        table = Call("GetAllColumns", (table,))
    return table


def _picked(dice: random.Random, name: str) -> tuple[Call, list[str]]:
    """A table, some of its columns, or a table after one or two steps."""
    table, columns = leaf("datasetName", name), list(TABLES[name])
    if dice.random() < 0.3:
        for _ in range(dice.randint(1, 2)):
            table, columns = _step(dice, table, columns)
    elif dice.random() < 0.5:
        columns = dice.sample(columns, dice.randint(1, len(columns)))
        table = Call("GetColumn", (leaf("columnName", *columns), table))
    return table, columns


def _some(dice: random.Random, columns: list[str], most: int = 3) -> list[str]:
    return dice.sample(columns, dice.randint(1, min(most, len(columns))))


def _step(dice: random.Random, table: Call, columns: list[str]) -> tuple[Call, list[str]]:
    match dice.randrange(5):
        case 0:
            some = _some(dice, columns)
            return Call("GetColumn", (leaf("columnName", *some), table)), some
        case 1 if len(columns) > 1:
            some = _some(dice, columns, len(columns) - 1)
            return Call("RemoveColumn", (leaf("columnName", *some), table)), [one for one in columns if one not in some]
        case 2:
            conditions = (_condition(dice, columns) for _ in range(dice.randint(1, 2)))
            return Call("FilterRows", (*conditions, table)), columns
        case 3:
            order = strings(dice.choice(("asc", "desc")))
            return Call("SortRows", (leaf("columnName", dice.choice(columns)), order, table)), columns
    return Call("Limit", (Call("number", (dice.randint(2, 50),)), table)), columns


def _condition(dice: random.Random, columns: list[str]) -> Call:
    value = Call("number", (dice.randint(1, 900),)) if dice.random() < 0.7 else strings("DONE")
    sign = dice.choice(SIGNS) if value.name == "number" else dice.choice(("=", "!="))
    return Call("condition", (leaf("columnName", dice.choice(columns)), strings(sign), value))


def _ending(dice: random.Random, table: Call, columns: list[str]) -> Call:
    name = leaf("columnName", dice.choice(columns))
    others = [one for one in columns if leaf("columnName", one) != name]
    group = (Call("groupBy", (leaf("columnName", dice.choice(others)),)),) if others and dice.random() < 0.5 else ()
    match dice.randrange(5):
        case 0:
            return Call("CountInstances", (name, table, *group))
        case 1:
            return Call("Aggregate", (strings(dice.choice(AGGREGATES)), name, table, *group))
        case 2:
            return Call("Normalize", (leaf("columnName", *_some(dice, columns)), table))
        case 3:
            kind = (Call("type", (strings("one-hot"),)),) if dice.random() < 0.5 else ()
            return Call("EncodeData", (name, table, *kind))
    if len(columns) > 1:
        return Call("MergeColumns", (leaf("columnName", *dice.sample(columns, 2)), table))
    return table


def _is_value(call: Call) -> bool:
    return call.name == "CountInstances" and len(call.arguments) == 2

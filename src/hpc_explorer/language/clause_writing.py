"""Write the expression of one clause from the arguments that its phrases give."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from hpc_explorer.errors import WrongParameter
from hpc_explorer.language.clauses import Condition, Items, Picked, Slots
from hpc_explorer.language.expressions import (
    AGGREGATES,
    CSV,
    JSON,
    Argument,
    Call,
    Scripts,
    leaf,
    strings,
    texts_of,
    type_of,
)
from hpc_explorer.language.meaning import Thing
from hpc_explorer.language.tags import Short, concept_tag, thing_tags
from hpc_explorer.language.terms import GraphTerms
from hpc_explorer.language.words import key_of
from hpc_explorer.rdf.terms import NamedNode

Names = Callable[[Thing], Sequence[str]]
"""The names of things."""

_QUIET = frozenset(
    ("columns", "related", "rows", "all", "then", "script", "label", "one_hot", "between_columns", "distinct",
     "unit_range", "group")
)  # fmt: skip
_BELONGING = {"between_columns": "merge", "unit_range": "normalize", "one_hot": "encode", "label": "encode"}
"""Words that say how an operation is done; without it they have no meaning."""

_OF_SEVERAL = frozenset(("merge", "multiply"))
"""Operations that take several tables; others are done with each of them."""

_OPPOSITES = {">": "<=", ">=": "<", "<": ">=", "<=": ">", "=": "!=", "!=": "="}


class ClauseWriter:
    """Writes the expression of one clause from its slots."""

    def __init__(
        self, terms: GraphTerms, names: Names, short: Short, scripts: Scripts, slots: Slots, tags: list[str]
    ) -> None:
        self._terms = terms
        self._names = names
        self._short = short
        self._scripts = scripts
        self._slots = slots
        self._tags = tags
        self.price = 0.0

    def results(self) -> list[Call]:
        """The tables or values that the clause makes; several if a later one joins them."""
        slots = self._slots
        names = [one for one in dict.fromkeys(slots.operations) if one not in _QUIET]
        if "script" in slots.operations and not slots.scripts:
            return []
        if any(one in slots.operations and of not in names for one, of in _BELONGING.items()):
            return []
        if not self._has_number() or ("group" in slots.operations and not slots.group):
            return []
        if slots.scripts:
            names = [one for one in names if one not in ("run", "convert", "script", "count", "save", "filter")]
            return [self._script()] if not [one for one in names if one not in ("limit",)] else []
        if slots.aggregate and "count" not in names:
            names.append("aggregate")
        elif slots.aggregate not in ("", "sum"):
            return []
        for exception in {"but", "unless"} & set(names):
            # "All except A" leaves A out; "drop all except A" keeps it.
            names.remove(exception)
            if "drop" not in names:
                names.append("drop")
            elif len(slots.columns) + len(slots.conditions) != 1 or not {"all", "columns", "rows"} & set(
                slots.operations
            ):
                return []
            else:
                names.remove("drop")
        if "drop" in names and (slots.conditions or any(one.conditions for one in slots.tables)):
            # Rows that are removed; "not (A and B)" is no condition.
            if len(slots.conditions) != 1 or slots.columns or any(one.conditions for one in slots.tables):
                return []
            ((column, sign, value),) = slots.conditions
            slots.conditions = [(column, _OPPOSITES[sign], value)]
            names[names.index("drop")] = "filter"
        if "save" in names and not slots.texts:
            names.remove("save")
            self.price += 0.2
        names = [one for one in names if one != "save"]
        if "filter" in names and (not slots.conditions):
            names.remove("filter")
            if not slots.number and not any(one.conditions for one in slots.tables):
                self.price += 0.2
        results = self._operated(names)
        if results and slots.texts:
            if len(results) != 1 or len(slots.texts) != 1:
                return []
            results = [Call("SaveDataset", (results[0], leaf("fileName", slots.texts[0])))]
        if slots.format and "convert" not in names and not all(one.endswith(f".{slots.format}") for one in slots.texts):
            return []
        for one in results:
            type_of(one, self._scripts)
        return results

    def _has_number(self) -> bool:
        """Whether a number that stands alone counts the first rows, or the tables."""
        slots = self._slots
        if slots.amount is None or slots.amount == len(slots.tables):
            return True
        is_of_rows = slots.number is None and (slots.is_descending is not None or "limit" in slots.operations)
        slots.number = slots.amount if is_of_rows else None
        return is_of_rows

    def _operated(self, names: list[str]) -> list[Call]:
        slots = self._slots
        names = [one for one in names if one not in ("filter", "limit", "run", "result")]
        core = [one for one in names if one != "sort"]
        if len(core) > 1:
            return []
        operation = core[0] if core else ""
        if "run" in slots.operations and operation in ("", "aggregate", "count"):
            return []
        is_distributed = operation or slots.columns or slots.conditions or slots.group or slots.number or names
        if len(slots.tables) > 1 and operation not in _OF_SEVERAL and is_distributed:
            return [result for one in slots.tables for result in self._for_table(one)._operated(names)]
        # "The three largest values of a column" are rows in its order.
        is_ranked = slots.number is not None and not operation and (
            bool(slots.group) or (slots.is_descending is not None and len(slots.columns) == 1)
        )  # fmt: skip
        sorting = "sort" in names or is_ranked
        sorted_by: Items = ()
        if sorting:
            if slots.group:
                sorted_by, slots.group = slots.group, ()
            elif slots.columns:
                sorted_by = slots.columns.pop()
            else:
                return []
        elif slots.is_descending is not None or (slots.group and operation not in ("count", "aggregate")):
            return []
        tables = self._tables(operation)
        if not tables:
            return []
        results = self._core(operation, tables)
        if not results:
            return []
        if operation == "merge" and slots.conditions:
            results = [self._where(slots.conditions, one) for one in results]
        if sorting:
            if len(results) != 1:
                return []
            columns = self._leaf(self._expanded(sorted_by, results[0]))
            is_descending = slots.is_descending if slots.is_descending is not None else slots.number is not None
            results = [Call("SortRows", (columns, strings("desc" if is_descending else "asc"), results[0]))]
        if slots.number is not None:
            if len(results) != 1:
                return []
            results = [Call("Limit", (Call("number", (slots.number,)), results[0]))]
        return results

    def _for_table(self, table: Picked) -> ClauseWriter:
        """A writer of the same clause for one of its tables."""
        slots = replace(self._slots, tables=[table], columns=list(self._slots.columns), texts=list(self._slots.texts))
        return ClauseWriter(self._terms, self._names, self._short, self._scripts, slots, self._tags)

    # Tables
    # ------

    def _tables(self, operation: str) -> list[Call]:
        """The tables of the clause; one dataset phrase may stand for several."""
        slots = self._slots
        wanted = slots.tables
        takes_columns = operation in (
            "normalize",
            "encode",
            "count",
            "aggregate",
            "multiply",
            "drop",
            "rename",
            "merge",
        )
        if takes_columns and len(wanted) == 1 and wanted[0].columns and not wanted[0].without:
            is_merge_of_tables = operation == "merge" and not self._is_merge_of_columns(wanted[0])
            if not is_merge_of_tables and isinstance(wanted[0].source, Thing):
                slots.columns.append(wanted[0].columns)
                wanted = [replace(wanted[0], columns=())]
        tables = []
        for one in wanted:
            is_part = bool(one.columns or one.conditions or slots.columns)
            source = one.source if isinstance(one.source, Call) else self._source(one.source, operation, is_part)
            if operation != "merge":
                source = self._where((*one.conditions, *slots.conditions), source)
            elif one.conditions:
                source = self._where(one.conditions, source)
                # The rows of the last table, or of the result?
                self.price += 0.8 if one is wanted[-1] and not any(other.conditions for other in wanted[:-1]) else 0.0
            if one.columns:
                columns = self._leaf(self._expanded(one.columns, source))
                source = Call("RemoveColumn" if one.without else "GetColumn", (columns, source))
            tables.append(source)
        return tables

    def _source(self, thing: Thing, operation: str, is_part: bool) -> Call:
        names = list(dict.fromkeys(self._dataset_of.get(name, name) for name in self._named(thing)))
        if not names or (len(names) > 1 and (operation != "merge" or is_part)):
            raise WrongParameter("not one dataset", ", ".join(names), "describe one dataset")
        for name in names:
            if not self._has_file(name):
                raise WrongParameter("the dataset has no file", name, "choose another dataset")
        self._tags += thing_tags(thing, self._terms, self._short)
        return leaf("datasetName", *names)

    def _named(self, thing: Thing) -> Sequence[str]:
        """The names of datasets, in the order of the sentence if it names them."""
        labels = self._terms.labels
        if thing.resources and not thing.constraints and all(one in labels for one in thing.resources):
            return [labels[one] for one in thing.resources]
        return self._names(thing)

    @cached_property
    def _dataset_of(self) -> dict[str, str]:
        """The names of datasets by the names of their files."""
        return {file: self._terms.labels[one] for one, file in self._terms.files.items() if one in self._terms.labels}

    def _has_file(self, name: str) -> bool:
        terms = self._terms
        if not terms.files:
            return True
        of_graph = any(one in terms.files for one in terms.names.get(key_of(name), ()))
        return of_graph or not {name, f"{name}.csv", f"{name}.json"}.isdisjoint(terms.loose_files)

    def _where(self, conditions: Sequence[Condition], table: Call) -> Call:
        if not conditions:
            return table
        return Call("FilterRows", (*(self._condition(each, table) for each in conditions), table))

    def _condition(self, condition: Condition, source: Call) -> Call:
        item, sign, value = condition
        columns = self._expanded((item,), source)
        written = Call("number", (value,)) if not isinstance(value, str) else strings(value)
        return Call("condition", (self._leaf(columns), strings(sign), written))

    # Columns
    # -------

    def _leaf(self, names: Sequence[str]) -> Call:
        return leaf("columnName", *names)

    def _expanded(self, items: Items, table: Call) -> list[str]:
        """The names of columns in a table.

        Raises:
            WrongParameter: it has no such column.
        """
        known = self._columns_of(table)
        names: list[str] = []
        for item in items:
            if isinstance(item, NamedNode):
                found = self._about(item, table)
                if not found:
                    raise WrongParameter("no column is about it", item.value, "choose another concept")
                self._tags.append(concept_tag(item, self._short))
                names += found
            elif known is None:
                names.append(item)
            else:
                fitting = [one for one in known if one == item] or [one for one in known if key_of(one) == key_of(item)]
                if not fitting:
                    raise WrongParameter("the table has no such column", item, "choose another column")
                names.append(fitting[0])
        return list(dict.fromkeys(names))

    def _about(self, concept: NamedNode, table: Call) -> list[str]:
        known = self._columns_of(table)
        concepts: dict[str, bool] = {}
        for dataset in self._datasets(table):
            for column in self._terms.columns.get(dataset, ()):
                concepts[column.name] = concepts.get(column.name, False) or concept in column.concepts
        return [name for name, fits in concepts.items() if fits and (known is None or name in known)]

    def _datasets(self, table: Argument) -> Iterator[NamedNode]:
        if isinstance(table, Call):
            if table.name in ("datasetName", "csvFile", "jsonFile", "file"):
                for text in texts_of(table):
                    yield from (one for one in self._terms.names.get(key_of(text), ()) if one in self._terms.columns)
            else:
                for one in table.arguments:
                    yield from self._datasets(one)

    def _columns_of(self, table: Argument) -> list[str] | None:
        """The columns of a table; None if they are not known."""
        if not isinstance(table, Call):
            return None
        name, arguments = table.name, table.arguments
        if name in ("datasetName", "csvFile", "jsonFile", "file"):
            found = [column.name for dataset in self._datasets(table) for column in self._terms.columns[dataset]]
            found = found or [column for text in texts_of(table) for column in self._terms.loose_files.get(text, ())]
            return found or None
        if name in ("GetColumn", "Normalize"):
            return list(texts_of(arguments[0]))
        if name in ("FilterRows", "SortRows", "Limit", "json2csv", "csv2json", "GetAllColumns"):
            return self._columns_of(arguments[-1])
        if name == "RemoveColumn":
            gone, all_columns = set(texts_of(arguments[0])), self._columns_of(arguments[1])
            return None if all_columns is None else [one for one in all_columns if one not in gone]
        if name == "MergeDataset":
            each = [self._columns_of(one) for one in arguments]
            return None if None in each else list(dict.fromkeys(one for some in each for one in some or ()))
        if name == "RenameColumn":
            old, new, all_columns = (
                next(texts_of(arguments[0])),
                next(texts_of(arguments[1])),
                self._columns_of(arguments[2]),
            )
            return None if all_columns is None else [new if one == old else one for one in all_columns]
        if name == "CountInstances" and len(arguments) == 3:
            return [*texts_of(arguments[2]), "count"]
        if name == "Aggregate":
            return [*(texts_of(arguments[3]) if len(arguments) == 4 else ()), *texts_of(arguments[1])]
        return None

    # Operations
    # ----------

    def _core(self, operation: str, tables: list[Call]) -> list[Call]:
        slots = self._slots
        first = tables[0]
        if operation == "merge":
            return self._merged(tables)
        if operation == "multiply":
            return self._multiplied(tables)
        if len(tables) != 1:
            if operation or slots.columns or slots.group:
                return []
            return tables
        if "distinct" in slots.operations:
            return self._distinct(operation, first)
        if operation == "" and not slots.group:
            if slots.format:
                return []
            if len(slots.columns) == 1:
                return [Call("GetColumn", (self._leaf(self._expanded(slots.columns[0], first)), first))]
            if slots.columns:
                return []
            if first.name == "datasetName":
                if slots.number is not None or "sort" in slots.operations:
                    return [first]
                if "columns" in slots.operations or "all" in slots.operations:
                    return [Call("GetAllColumns", (first,))]
                return [first] if slots.texts else []
            return [first]
        if operation == "column_names":
            return [Call("GetColumnNames", (first,))] if not slots.columns else []
        if operation == "convert":
            return self._converted(first)
        if operation == "rename":
            return self._renamed(first)
        if len(slots.columns) != 1:
            known = self._columns_of(first)
            if operation in ("normalize", "encode") and not slots.columns and known and self._is_whole(first):
                slots.columns.append(tuple(known))
                return self._core(operation, [_without_picking(first)])
            if operation in ("normalize", "encode", "aggregate") and not slots.columns and first.name == "GetColumn":
                # "Average them": the columns that were taken before.
                slots.columns.append(tuple(texts_of(first.arguments[0])))
                return self._core(operation, [first])
            if operation == "count" and not slots.columns and slots.group:
                slots.columns.append(slots.group)
            elif operation == "count" and not slots.columns and "rows" in slots.operations and known:
                slots.columns.append((known[0],))
            else:
                return []
        columns = self._leaf(self._expanded(slots.columns[0], first))
        group: tuple[Call, ...] = ()
        if slots.group:
            group = (Call("groupBy", (self._leaf(self._expanded(slots.group, first)),)),)
        match operation:
            case "normalize":
                return [Call("Normalize", (columns, first))] if not group else []
            case "drop":
                return [Call("RemoveColumn", (columns, first))] if not group else []
            case "encode":
                kind = (Call("type", (strings("one-hot"),)),) if "one_hot" in slots.operations else ()
                return [Call("EncodeData", (columns, first, *kind))] if not group else []
            case "count":
                return [Call("CountInstances", (columns, first, *group))]
            case "aggregate" if slots.aggregate in AGGREGATES:
                return [Call("Aggregate", (strings(slots.aggregate), columns, first, *group))]
        return []

    def _distinct(self, operation: str, table: Call) -> list[Call]:
        """The distinct values of a column, or their number: the groups of the table by this column."""
        slots = self._slots
        if operation not in ("", "count") or slots.group or len(slots.columns) != 1 or len(slots.columns[0]) != 1:
            return []
        column = self._leaf(self._expanded(slots.columns[0], table))
        groups = Call("CountInstances", (column, table, Call("groupBy", (column,))))
        return [Call("CountInstances" if operation else "GetColumn", (column, groups))]

    def _is_whole(self, table: Call) -> bool:
        """Whether every column of a table is meant."""
        return table.name == "RemoveColumn" or bool({"all", "columns"} & set(self._slots.operations))

    def _is_merge_of_columns(self, table: Picked) -> bool:
        slots = self._slots
        return len(table.columns) > 1 and len(slots.tables) == 1 and (
            "columns" in slots.operations or "between_columns" in slots.operations or not slots.texts
        )  # fmt: skip

    def _merged(self, tables: list[Call]) -> list[Call]:
        slots = self._slots
        if slots.columns:
            items = tuple(item for some in slots.columns for item in some)
            if len(tables) > 1:
                return [Call("MergeDataset", tuple(tables))] if self._are_shared(items, tables) else []
            if len(items) < 2:
                return []
            return [Call("MergeColumns", (self._leaf(self._expanded(items, tables[0])), tables[0]))]
        if len(tables) == 1 and (tables[0].name != "datasetName" or len(list(texts_of(tables[0]))) < 2):
            return []
        if any(isinstance(one.source, Thing) and not one.source.constraints for one in slots.tables):
            # Datasets that the sentence names are told apart; a description stands for all that it finds.
            tables = [leaf("datasetName", name) if one.name == "datasetName" else one for one in tables
                      for name in (texts_of(one) if one.name == "datasetName" else ("",))]  # fmt: skip
        return [Call("MergeDataset", tuple(tables))]

    def _are_shared(self, items: Items, tables: Sequence[Call]) -> bool:
        """Whether columns are those that the tables are joined on."""
        known = [self._columns_of(one) for one in tables]
        if None in known or any(set(one or ()) == set(known[0] or ()) for one in known[1:]):
            return False
        shared = set.intersection(*(set(one or ()) for one in known))
        return all(set(self._expanded(items, one)) == shared for one in tables)

    def _multiplied(self, tables: list[Call]) -> list[Call]:
        slots = self._slots
        if len(tables) == 2 and not slots.columns:
            return [Call("DotProduct", tuple(tables))]
        items = [item for some in slots.columns for item in some]
        if len(tables) == 1 and tables[0].name == "GetColumn" and len(items) == 1:
            columns = list(texts_of(tables[0].arguments[0]))
            source = tables[0].arguments[1]
            if len(columns) == 1 and isinstance(source, Call):
                items, tables = [items[0], columns[0]], [source]
        if len(items) != 2 or len(tables) not in (1, 2):
            return []
        names = [self._expanded((item,), tables[min(at, len(tables) - 1)]) for at, item in enumerate(items)]
        if any(len(one) != 1 for one in names):
            return []
        sources = [tables[min(at, len(tables) - 1)] for at in range(2)]
        picked = (Call("GetColumn", (self._leaf(one), source)) for one, source in zip(names, sources, strict=True))
        return [Call("DotProduct", tuple(picked))]

    def _converted(self, table: Call) -> list[Call]:
        slots = self._slots
        if slots.columns or slots.group or slots.format not in ("csv", "json"):
            return []
        is_json = self._is_json(table)
        if slots.format == "csv":
            return [Call("json2csv", (table,))] if is_json is not False else []
        return [Call("csv2json", (table,))] if is_json is not True else []

    def _is_json(self, table: Call) -> bool | None:
        """Whether a table is a JSON file; None if that is not known."""
        if table.name == "datasetName":
            for text in texts_of(table):
                for resource in self._terms.names.get(key_of(text), ()):
                    file = self._terms.files.get(resource, text)
                    if file.lower().endswith((".json", ".csv")):
                        return file.lower().endswith(".json")
            return None
        try:
            return type_of(table, self._scripts) == JSON
        except WrongParameter:
            return None

    def _renamed(self, table: Call) -> list[Call]:
        slots = self._slots
        items = [item for some in slots.columns for item in some if isinstance(item, str)]
        if len(items) == 2:
            new = items.pop()
        elif len(items) == 1 and slots.texts:
            new = slots.texts.pop()
        else:
            return []
        return [Call("RenameColumn", (self._leaf(self._expanded((items[0],), table)), strings(new), table))]

    def _script(self) -> Call:
        slots = self._slots
        script = slots.scripts[0]
        others = (slots.columns, slots.group, slots.number, slots.aggregate, slots.format)
        if len(set(slots.scripts)) != 1 or any(others) or slots.is_descending is not None or len(slots.texts) > 1:
            raise WrongParameter("a script takes one file", script.name, "name one file")
        tables = self._tables("")
        if len(tables) != 1:
            raise WrongParameter("a script takes one file", script.name, "name one file")
        table = tables[0]
        if script.input == CSV and self._is_json(table) is True:
            table = Call("json2csv", (table,))
        found = Call(script.name, (table,))
        type_of(found, self._scripts)
        if slots.texts:
            return Call("SaveDataset", (found, leaf("fileName", slots.texts[-1])))
        return found


def _without_picking(table: Call) -> Call:
    inner = table.arguments[-1]
    return inner if table.name == "RemoveColumn" and isinstance(inner, Call) else table

"""A form with typed entries: their values, the changes they make, and their errors.

Entries are stored as text, so invalid or unfinished input is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from hpc_explorer.annotate.file_facts import FileFacts
from hpc_explorer.annotate.forms.entries import entry_text
from hpc_explorer.annotate.forms.form import OTHER, Field, FieldGroup, Form, Reason
from hpc_explorer.annotate.forms.values import Items, Node, Value
from hpc_explorer.app.forms.changes import ClassChange, FieldChange, LinkClass
from hpc_explorer.app.forms.entry import Entry, entries_of_values
from hpc_explorer.errors import WrongEntry
from hpc_explorer.ontology.labels import LABEL_PREDICATES
from hpc_explorer.rdf.namespaces import PrefixMap
from hpc_explorer.rdf.terms import NamedNode


@dataclass(frozen=True)
class NewLink:
    """A resource that is created together with the one that links to it.

    Args:
        name: its label.
        file: the facts of the chosen file, if it describes one.
    """

    iri: NamedNode
    cls: NamedNode
    name: str
    file: FileFacts | None = None


@dataclass(frozen=True)
class Wrong:
    """An entry that cannot be read, by its position in its field."""

    field: Field
    number: int
    error: WrongEntry


@dataclass(frozen=True)
class Filling:
    """A form with typed entries.

    Args:
        form: the form with the values of the graph.
        entries: the entries of each edited field, by property.
        more: fields that the user added.
        new_links: resources to create together with this one.
        is_new: whether the resource does not exist yet.
        classes_added: classes to add; for a new resource, all its classes.
        classes_removed: stated classes to remove.
        link_classes: classes to add to linked resources.
    """

    form: Form
    entries: Mapping[NamedNode, tuple[Entry, ...]] = field(default_factory=dict)
    more: tuple[Field, ...] = ()
    new_links: tuple[NewLink, ...] = ()
    is_new: bool = False
    classes_added: tuple[NamedNode, ...] = ()
    classes_removed: tuple[NamedNode, ...] = ()
    link_classes: tuple[LinkClass, ...] = ()

    @property
    def classes(self) -> tuple[NamedNode, ...]:
        """The stated classes of the resource after saving."""
        return (*(cls for cls in self.form.stated if cls not in self.classes_removed), *self.classes_added)

    @property
    def fields(self) -> tuple[Field, ...]:
        """The fields of the form and those that were added."""
        return (*self.form.fields, *self.more)

    @property
    def groups(self) -> tuple[FieldGroup, ...]:
        """The groups of the form, the fields that were added among its other properties."""
        if not self.more:
            return self.form.groups
        others = next((group.fields for group in self.form.groups if group.label == OTHER), ())
        groups = (group for group in self.form.groups if group.label != OTHER)
        return (*groups, FieldGroup(OTHER, (*others, *self.more)))

    def field(self, predicate: NamedNode) -> Field | None:
        """The field of a property."""
        return next((one for one in self.fields if one.predicate == predicate), None)

    def entries_of(self, of: Field) -> tuple[Entry, ...]:
        """The entries of a field: the typed ones, else the values of the graph."""
        return self.entries.get(of.predicate, entries_of_values(of))

    def with_entries(self, predicate: NamedNode, entries: Iterable[Entry]) -> Filling:
        """The filling with other entries in a field."""
        return replace(self, entries={**self.entries, predicate: tuple(entries)})

    def with_field(self, one: Field) -> Filling:
        """The filling with another field, unless it has it."""
        return self if self.field(one.predicate) is not None else replace(self, more=(*self.more, one))

    def with_link(self, link: NewLink) -> Filling:
        """The filling with another resource to create."""
        return replace(self, new_links=(*(one for one in self.new_links if one.iri != link.iri), link))

    def with_class(self, cls: NamedNode) -> Filling:
        """The filling with a class added."""
        if cls in self.classes_removed:
            return replace(self, classes_removed=tuple(one for one in self.classes_removed if one != cls))
        return self if cls in self.classes else replace(self, classes_added=(*self.classes_added, cls))

    def without_class(self, cls: NamedNode) -> Filling:
        """The filling with a class removed."""
        if cls in self.classes_added:
            return replace(self, classes_added=tuple(one for one in self.classes_added if one != cls))
        return replace(self, classes_removed=(*self.classes_removed, cls)) if cls in self.classes else self

    def with_link_class(self, one: LinkClass) -> Filling:
        """The filling with a class added to a linked resource."""
        return self if one in self.link_classes else replace(self, link_classes=(*self.link_classes, one))

    def without_link_class(self, one: LinkClass) -> Filling:
        """The filling without a class added to a linked resource."""
        return replace(self, link_classes=tuple(each for each in self.link_classes if each != one))

    def rebased(self, form: Form) -> Filling:
        """What is typed, in the form as it is by now: the graph has changed, or the classes that it is for.

        A value that is not there any more is one more value for who changed it, and is gone for who left it. A field
        that the form has no longer stays if something is typed into it, free of what its class asked for.
        """
        filling = replace(
            self,
            form=form,
            more=tuple(one for one in self.more if form.field(one.predicate) is None),
            classes_added=tuple(cls for cls in self.classes_added if cls not in form.stated),
            classes_removed=tuple(cls for cls in self.classes_removed if cls in form.stated),
        )
        entries = {}
        for predicate, typed in self.entries.items():
            one = filling.field(predicate)
            if one is None:
                before = self.field(predicate)
                if before is None or all(entry.is_blank or entry.is_as_before for entry in typed):
                    continue
                one = Field(predicate, before.label, before.description, before.kinds, Reason.ADDED)
                filling = filling.with_field(one)
            there = [entry for entry in typed if entry.before is None or entry.before in one.values]
            changed = [replace(entry, before=None) for entry in typed if entry not in there and not entry.is_as_before]
            entries[predicate] = (*there, *changed)
        return replace(filling, entries=entries)

    def linked(self) -> tuple[NewLink, ...]:
        """The new resources that an entry links to."""
        texts = {entry.text.strip() for entries in self.entries.values() for entry in entries}
        return tuple(link for link in self.new_links if link.iri.value in texts)

    def values(self, prefixes: PrefixMap | None = None) -> dict[NamedNode, tuple[Value, ...]]:
        """The values of each edited field, without unreadable entries."""
        return {
            predicate: self._read(one, prefixes)[0]
            for predicate in self.entries
            if (one := self.field(predicate)) is not None
        }

    def is_changed(self, prefixes: PrefixMap | None = None) -> bool:
        """Whether anything is different from the graph."""
        classes = self.classes_added or self.classes_removed or self.classes_of_links(prefixes)
        return bool(classes or self.changes(prefixes))

    def wrongs(self, prefixes: PrefixMap | None = None) -> tuple[Wrong, ...]:
        """All entries that cannot be read, in the order of the fields."""
        return tuple(
            wrong for one in self.fields if one.predicate in self.entries for wrong in self._read(one, prefixes)[1]
        )

    def linking_to(self, resource: object, prefixes: PrefixMap | None = None) -> Field | None:
        """The field that links to a resource, or has it as a value."""
        return next((one for one in self.fields if resource in self._linked(one, prefixes)), None)

    def _linked(self, one: Field, prefixes: PrefixMap | None) -> Iterator[object]:
        for value in self._read(one, prefixes)[0]:
            if isinstance(value, Items):
                yield from value.items
            else:
                yield value.at if isinstance(value, Node) else value

    def classes_of_links(self, prefixes: PrefixMap | None = None) -> tuple[LinkClass, ...]:
        """The classes to add to linked resources; those no longer linked are left out."""
        return tuple(one for one in self.link_classes if self.linking_to(one.statement.subject, prefixes) is not None)

    def class_changes(
        self, label: Callable[[NamedNode], str], prefixes: PrefixMap | None = None
    ) -> tuple[ClassChange | LinkClass, ...]:
        """The changes of classes; the classes of a new resource are no change.

        Args:
            label: what people call a class.
        """
        added = () if self.is_new else self.classes_added
        return (
            *(ClassChange(label(cls), True) for cls in added),
            *(ClassChange(label(cls), False) for cls in self.classes_removed),
            *self.classes_of_links(prefixes),
        )

    def changes(self, prefixes: PrefixMap | None = None) -> tuple[FieldChange, ...]:
        """The changed fields in their order; an unreadable entry counts as an added text."""
        found = (self.change_of(one, prefixes) for one in self.fields if one.predicate in self.entries)
        return tuple(change for change in found if change is not None)

    def change_of(self, one: Field, prefixes: PrefixMap | None = None) -> FieldChange | None:
        """The change of one field; None if there is none."""
        if one.predicate not in self.entries:
            return None
        values, wrongs = self._read(one, prefixes)
        typed = self.entries[one.predicate]
        names: dict[object, str] = {link.iri: link.name for link in self.new_links}
        added = [names.get(value) or entry_text(value) for value in values if value not in one.values]
        added += [typed[wrong.number].text for wrong in wrongs]
        removed = [entry_text(value) for value in one.values if value not in values]
        return FieldChange(one, tuple(added), tuple(removed)) if added or removed else None

    def _read(self, one: Field, prefixes: PrefixMap | None) -> tuple[tuple[Value, ...], tuple[Wrong, ...]]:
        values: dict[Value, None] = {}
        wrongs = []
        for number, entry in enumerate(self.entries_of(one)):
            try:
                value = entry.read(one, prefixes)
            except WrongEntry as error:
                wrongs.append(Wrong(one, number, error))
            else:
                if value is not None:
                    values[value] = None
        return tuple(values), tuple(wrongs)


def filled_like(form: Form, prefixes: PrefixMap | None = None) -> Filling:
    """The form of something new with the values typed that it begins with; its names, which are another's, are not.

    A value that could not be typed, such as a node that says what no field knows, is left out.
    """
    filling = Filling(form, is_new=True, classes_added=form.types)
    for one in form.fields:
        if one.predicate in LABEL_PREDICATES:
            continue
        plain = replace(one, values=())
        entries = [replace(entry, before=None) for entry in entries_of_values(one)]
        typed = [entry for entry in entries if _can_be_typed(entry, plain, prefixes)]
        if typed:
            filling = filling.with_entries(one.predicate, typed)
    return filling


def _can_be_typed(entry: Entry, of: Field, prefixes: PrefixMap | None) -> bool:
    try:
        return entry.read(of, prefixes) is not None
    except WrongEntry:
        return False

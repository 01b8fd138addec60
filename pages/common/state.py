"""State of a page: a frozen dataclass whose fields are declared query parameters; see `docs/architecture.md`, "State".

Pure: nothing here knows Streamlit. `address.py` reads a state from the address and writes it back.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from operator import attrgetter
from typing import Any, Self, TypeVar

from nmtcore.messages import N_
from nmtcore.views.kit.link_state import QUOTED, Choice, Parameter, Sentence, silent
from pages.common.i18n import _

T = TypeVar("T")


def says(message: str, **values: object) -> Sentence:
    """The sentence of a message marked for translation, in which {asked} is what the link asks for."""
    return lambda asked: _(message).format(asked=asked[:QUOTED], **values)


def none_of(name: str, options: str) -> Sentence:
    """The sentence about a value of `name` that is not among its options, a message themselves."""
    message = N_("The link asks for {name} {asked!r}, which is not one of {options}: the usual one is shown.")
    return lambda asked: says(message, name=name, options=_(options))(asked)


def stated(parameter: Parameter[Any], of: Sequence[str] = ()) -> Any:
    """A field, declared by its parameter: name in the address, kind, range, default, and the sentence for other values.

    A choice without a sentence of its own lists its codes. of: what the field depends on, by its path from the state,
    such as `question.text`: the field goes back to its default when one of these changes.
    """
    if isinstance(parameter, Choice) and parameter.wrong is silent:
        options = ", ".join(filter(None, parameter.options))
        parameter = dataclasses.replace(parameter, wrong=none_of(parameter.name, options))
    return field(default=parameter.default, metadata={"parameter": parameter, "of": of})


def part(state: type[State], **settings: Any) -> Any:
    """A field that is a state of its own, such as the question that every page asks.

    settings: values of fields that no link changes, such as which models the page offers.
    """
    return field(default_factory=partial(state, **settings), metadata={"part": state, "settings": settings})


@dataclass(frozen=True)
class State:
    """The reader's choices on the screen. Field names are unique within a page, its parts included."""

    @classmethod
    def parameters(cls) -> dict[str, Parameter[Any]]:
        """The declarations by the names of their fields, parts included."""
        return _parameters(cls)

    @classmethod
    def parse(cls, texts: Mapping[str, str]) -> Self:
        """Parse the texts of an address; impossible values fall back to their defaults."""
        values: dict[str, Any] = {}
        for name, parameter in _own(cls):
            text = texts.get(parameter.name)
            value = None if text is None else parameter.parse(text)
            values[name] = parameter.default if value is None else value
        for name, state, settings in _parts(cls):
            values[name] = dataclasses.replace(state.parse(texts), **settings)
        return cls(**values)

    @classmethod
    def notes(cls, texts: Mapping[str, str]) -> tuple[str, ...]:
        """A sentence for each text that cannot be parsed."""
        asked = [(p, texts[p.name]) for p in cls.parameters().values() if p.name in texts]
        return tuple(filter(None, (p.wrong(text) for p, text in asked if p.parse(text) is None)))

    def texts(self) -> dict[str, str]:
        """The inverse of `parse`. Fields at their defaults are left out."""
        values = {name: (parameter, self.value(name)) for name, parameter in self.parameters().items()}
        return {p.name: p.text(value) for p, value in values.values() if value != p.default}

    def value(self, name: str) -> Any:
        """The value of a field, wherever it is."""
        for part_name, state, _settings in _parts(type(self)):
            if name in state.parameters():
                return getattr(self, part_name).value(name)
        return getattr(self, name)

    def changed(self, **values: Any) -> Self:
        """The state with other values of some fields, its own or those of parts."""
        if unknown := set(values) - set(self.parameters()):
            raise AttributeError(f"{type(self).__name__} has no {', '.join(sorted(unknown))}")
        mine = {name: values[name] for name, _parameter in _own(type(self)) if name in values}
        for name, state, _settings in _parts(type(self)):
            theirs = {inner: values[inner] for inner in state.parameters() if inner in values}
            mine |= {name: getattr(self, name).changed(**theirs)} if theirs else {}
        return dataclasses.replace(self, **mine)

    def settled(self, linked: Collection[str]) -> tuple[Self, tuple[str, ...]]:
        """The state as far as the server can show it, and a sentence for each part that it cannot.

        linked: the query parameters unchanged since the link. A page extends this if the range of a field depends on
        another field or on the available models.
        """
        notes: tuple[str, ...] = ()
        settled: dict[str, Any] = {}
        for name, _state, _settings in _parts(type(self)):
            settled[name], said = getattr(self, name).settled(linked)
            notes += said
        return dataclasses.replace(self, **settled), notes

    def stale(self, before: Self) -> tuple[str, ...]:
        """The names of the fields that depended on what `before` asked, and now go back to their defaults."""
        speaking = ((one.name, one.metadata.get("of", ())) for one in dataclasses.fields(self))
        own = [name for name, of in speaking if any(attrgetter(path)(self) != attrgetter(path)(before) for path in of)]
        parts = ((getattr(self, name), getattr(before, name)) for name, _state, _settings in _parts(type(self)))
        return (*own, *(name for now, then in parts for name in now.stale(then)))


def link_texts(of: type[State], **values: Any) -> dict[str, str | None]:
    """Query parameters that set fields of a page to these values; None removes one, for a default."""
    texts: dict[str, str | None] = {}
    for name, value in values.items():
        parameter = of.parameters()[name]
        texts[parameter.name] = None if value is None or value == parameter.default else parameter.text(value)
    return texts


def _once(function: Callable[[Any], T]) -> Callable[[Any], T]:
    """The function of a class, called once: every run of a page asks many times for its state's declarations."""
    return cache(function)  # typed here: to mypy a class with a hash of its own is not hashable itself


@_once
def _own(of: Any) -> tuple[tuple[str, Parameter[Any]], ...]:
    """Name and parameter of each field that is the state's own, not a part's."""
    fields = ((one.name, one.metadata.get("parameter")) for one in dataclasses.fields(of))
    return tuple((name, parameter) for name, parameter in fields if parameter)


@_once
def _parts(of: Any) -> tuple[tuple[str, type[State], Mapping[str, Any]], ...]:
    """Name, class and settings of each field that is a state of its own."""
    parts = ((one.name, one.metadata) for one in dataclasses.fields(of) if "part" in one.metadata)
    return tuple((name, metadata["part"], metadata["settings"]) for name, metadata in parts)


@_once
def _parameters(of: Any) -> dict[str, Parameter[Any]]:
    parameters: dict[str, Parameter[Any]] = {}
    for inner in (dict(_own(of)), *(state.parameters() for _name, state, _settings in _parts(of))):
        assert not parameters.keys() & inner.keys(), f"{of.__name__} has two fields of one name"
        parameters |= inner
    assert len({parameter.name for parameter in parameters.values()}) == len(parameters), of
    return parameters

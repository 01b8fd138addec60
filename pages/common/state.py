"""State of a page: a frozen dataclass whose fields are declared query parameters; see `docs/architecture.md`, "State".

Pure: nothing here knows Streamlit. `address.py` reads a state from the address and writes it back.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any, Self

from nmtcore.views.kit.link_state import QUOTED, Choice, Parameter, Sentence, silent
from pages.common.i18n import _


def none_of(name: str, options: str) -> Sentence:
    """The sentence about a value of `name` that is not among its options."""

    def sentence(asked: str) -> str:
        words = _("The link asks for {name} {value}, which is none of {options}: the usual one is shown.")
        return words.format(name=name, value=repr(asked[:QUOTED]), options=options)

    return sentence


def stated(parameter: Parameter[Any]) -> Any:
    """A field, declared by its parameter: name in the address, kind, range, default, and what is said of others.

    Of a choice without a sentence of its own its codes are said.
    """
    if isinstance(parameter, Choice) and parameter.wrong is silent:
        options = ", ".join(filter(None, parameter.options))
        parameter = dataclasses.replace(parameter, wrong=none_of(parameter.name, options))
    return field(default=parameter.default, metadata={"parameter": parameter})


def part(state: type[State], **settings: Any) -> Any:
    """A field that is a state of its own, such as the question that every page asks.

    settings: of its fields that no link changes, such as which models the page offers.
    """
    return field(default_factory=partial(state, **settings), metadata={"part": state, "settings": settings})


@dataclass(frozen=True)
class State:
    """What the reader has chosen of what is on the screen. A page has no two fields of one name, parts included."""

    @classmethod
    def parameters(cls) -> dict[str, Parameter[Any]]:
        """The declarations by the names of their fields, parts included."""
        everything: Any = cls  # to mypy a class with a hash of its own is not hashable itself
        return _parameters(everything)

    @classmethod
    def parse(cls, texts: Mapping[str, str]) -> Self:
        """The state that the texts of an address stand for; what cannot be is at its default."""
        values: dict[str, Any] = {}
        for one in dataclasses.fields(cls):
            if parameter := one.metadata.get("parameter"):
                text = texts.get(parameter.name)
                value = None if text is None else parameter.parse(text)
                values[one.name] = parameter.default if value is None else value
            elif state := one.metadata.get("part"):
                values[one.name] = dataclasses.replace(state.parse(texts), **one.metadata["settings"])
        return cls(**values)

    @classmethod
    def own(cls) -> frozenset[str]:
        """The names of the fields that are this state's own, not a part's."""
        return frozenset(name for name, declared in _declared(cls) if isinstance(declared, Parameter))

    @classmethod
    def notes(cls, texts: Mapping[str, str]) -> tuple[str, ...]:
        """A sentence for each text that stands for nothing."""
        asked = [(p, texts[p.name]) for p in cls.parameters().values() if p.name in texts]
        return tuple(filter(None, (p.wrong(text) for p, text in asked if p.parse(text) is None)))

    def texts(self) -> dict[str, str]:
        """The inverse of `parse`. What stands at its default is left out."""
        values = {name: (parameter, self.value(name)) for name, parameter in self.parameters().items()}
        return {p.name: p.text(value) for p, value in values.values() if value != p.default}

    def value(self, name: str) -> Any:
        """The value of a field, wherever it is."""
        if name in self.own():
            return getattr(self, name)
        owner = next(holder for holder, state in _parts(type(self)) if name in state.parameters())
        return getattr(self, owner).value(name)

    def changed(self, **values: Any) -> Self:
        """The state with other values of some fields, wherever they are."""
        if unknown := set(values) - set(self.parameters()):
            raise AttributeError(f"{type(self).__name__} has no {', '.join(sorted(unknown))}")
        mine = {name: value for name, value in values.items() if name in self.own()}
        for name, state in _parts(type(self)):
            theirs = {inner: values[inner] for inner in state.parameters() if inner in values}
            mine |= {name: getattr(self, name).changed(**theirs)} if theirs else {}
        return dataclasses.replace(self, **mine)

    def settled(self, linked: Collection[str]) -> tuple[Self, tuple[str, ...]]:
        """The state as far as the server can show it, and a sentence for each part that it cannot.

        linked: the query parameters that stand as a link gave them. A page extends this where the range of one field
        hangs on another, or on the models that are there.
        """
        notes: tuple[str, ...] = ()
        settled: dict[str, Any] = {}
        for name, _part in _parts(type(self)):
            settled[name], said = getattr(self, name).settled(linked)
            notes += said
        return dataclasses.replace(self, **settled), notes

    def stale(self, before: Self) -> tuple[str, ...]:
        """The names of the fields that spoke of what `before` asked, and go back to their defaults now."""
        parts = ((getattr(self, name), getattr(before, name)) for name, _part in _parts(type(self)))
        return tuple(name for now, then in parts for name in now.stale(then))


def link_texts(of: type[State], **values: Any) -> dict[str, str | None]:
    """Query parameters that give fields of a page these values; None takes one out, which is its default."""
    texts: dict[str, str | None] = {}
    for name, value in values.items():
        parameter = of.parameters()[name]
        texts[parameter.name] = None if value is None or value == parameter.default else parameter.text(value)
    return texts


def _declared(of: type[State]) -> Iterator[tuple[str, Any]]:
    """The parameter or the state of each declared field."""
    fields = ((one.name, one.metadata) for one in dataclasses.fields(of))
    return ((name, metadata.get("parameter") or metadata["part"]) for name, metadata in fields if metadata)


def _parts(of: type[State]) -> Iterator[tuple[str, type[State]]]:
    return ((name, inner) for name, inner in _declared(of) if isinstance(inner, type))


@cache
def _parameters(of: type[State]) -> dict[str, Parameter[Any]]:
    parameters: dict[str, Parameter[Any]] = {}
    for name, declared in _declared(of):
        inner = {name: declared} if isinstance(declared, Parameter) else declared.parameters()
        assert not parameters.keys() & inner.keys(), f"{of.__name__} has two fields of one name"
        parameters |= inner
    assert len({parameter.name for parameter in parameters.values()}) == len(parameters), of
    return parameters

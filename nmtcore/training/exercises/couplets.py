"""Couplet exercises: a line is answered by a line of the same length, each word by its counterpart.

The Chinese ones follow the primers of 对对子, in which the sky answers the earth and spring the autumn: every character
has a fixed counterpart, wherever it stands. In French the counterpart of a noun determines the gender, so an article
or adjective must attend to its noun too.
"""

import random

from nmtcore.training.exercises.exercise import Exercise, Link, diagonal, one


def _both_ways(pairs: str) -> dict[str, str]:
    """Counterparts of each word, in both directions, from `pairs` written as word/word."""
    table: dict[str, str] = {}
    for pair in pairs.split():
        first, second = pair.split("/")
        table |= {first: second, second: first}
    return table


# Chinese characters. A word of one kind is answered by a word of the same kind.
_KINDS = {
    "time": "春/秋 夏/冬 朝/暮 昼/夜",
    "thing": "天/地 日/月 山/水 风/雨 花/柳 云/雪 江/海 松/竹 星/灯",
    "quality": "高/低 远/近 新/旧 大/小 深/浅 浓/淡 明/暗 冷/暖",
    "colour": "红/绿 白/黑 金/银",
    "motion": "来/去 起/落 升/降 生/灭 行/止 进/退",
    "place": "东/西 南/北 上/下 前/后 内/外",
}
_CHARACTERS = _both_ways(" ".join(_KINDS.values()))
_OF_KIND = {kind: tuple(_both_ways(pairs)) for kind, pairs in _KINDS.items()}
_LINES = (  # lines of five and of seven characters
    ("time", "thing", "motion", "place", "thing"),
    ("quality", "thing", "place", "thing", "motion"),
    ("colour", "thing", "motion", "time", "thing"),
    ("time", "quality", "thing", "motion", "place", "colour", "thing"),
    ("place", "thing", "motion", "time", "thing", "quality", "colour"),
    ("quality", "thing", "motion", "place", "colour", "thing", "motion"),
)


def _chinese_line(draw: random.Random, length: int) -> str:
    return " ".join(draw.choice(_OF_KIND[kind]) for kind in draw.choice(_LINES))


def _chinese_answer(source: str) -> str:
    return " ".join(_CHARACTERS[character] for character in source.split())


# French. A line is: article noun adjective verb preposition article noun adjective.
_MASCULINE = frozenset("jour soir matin ciel feu vent roi fils père soleil rêve silence château jardin bois".split())  # noqa: SIM905
_NOUNS = _both_ways(
    "jour/nuit matin/soir ciel/terre soleil/lune feu/glace vent/pluie mer/montagne roi/reine fils/fille père/mère "
    "rêve/vie silence/voix château/maison jardin/rue bois/ville"
)
_ADJECTIVES = (  # masculine, feminine; neighbours are counterparts
    ((("blanc", "blanche"), ("noir", "noire"))),
    ((("clair", "claire"), ("sombre", "sombre"))),
    ((("chaud", "chaude"), ("froid", "froide"))),
    ((("doux", "douce"), ("dur", "dure"))),
    ((("léger", "légère"), ("lourd", "lourde"))),
    ((("lent", "lente"), ("rapide", "rapide"))),
    ((("plein", "pleine"), ("vide", "vide"))),
)
_ANSWERING = {  # both forms of the counterpart, by either form of an adjective
    form: counterpart for pair in _ADJECTIVES for forms, counterpart in (pair, pair[::-1]) for form in forms
}
_VERBS = _both_ways(
    "monte/descend chante/pleure dort/veille naît/meurt entre/sort avance/recule commence/finit parle/rit"
)
_PREPOSITIONS = _both_ways("sur/sous devant/derrière avant/après avec/sans")


def _phrase(noun: str, adjective: tuple[str, str]) -> str:
    gender = 0 if noun in _MASCULINE else 1
    return f"{('le', 'la')[gender]} {noun} {adjective[gender]}"


def _french_line(draw: random.Random, length: int) -> str:
    def phrase() -> str:
        return _phrase(draw.choice(tuple(_NOUNS)), draw.choice(draw.choice(_ADJECTIVES)))

    return f"{phrase()} {draw.choice(tuple(_VERBS))} {draw.choice(tuple(_PREPOSITIONS))} {phrase()}"


def _french_answer(source: str) -> str:
    _article, noun, adjective, verb, preposition, _article, object, quality = source.split()
    phrases = _phrase(_NOUNS[noun], _ANSWERING[adjective]), _phrase(_NOUNS[object], _ANSWERING[quality])
    return f"{phrases[0]} {_VERBS[verb]} {_PREPOSITIONS[preposition]} {phrases[1]}"


def _french_links(source: str) -> tuple[Link, ...]:
    """Links of the answer: an article to its noun, whose counterpart determines the gender; an adjective to both."""
    return (one(0, 1), one(1), one(2, 1), one(3), one(4), one(5, 6), one(6), one(7, 6))


FRENCH_COUPLETS = Exercise(
    *("couplets-fr", 0.95, "le jour blanc monte sur la mer douce"),
    _french_line,
    _french_answer,
    _french_links,  # subwords: in one run, whole words were learnt later and with 44% alignment error instead of 3%
)
CHINESE_COUPLETS = Exercise(
    *("couplets-zh", 0.95, "春 风 来 南 山"),
    _chinese_line,
    _chinese_answer,
    diagonal,
    whole_words=True,
)

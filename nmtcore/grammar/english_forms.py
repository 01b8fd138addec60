"""Inflection of English: plurals, verb forms, comparison, `a` or `an`."""

from __future__ import annotations

import re
from typing import Final

VOWELS: Final = "aeiou"
_DOUBLING: Final = frozenset(
    """
    admit begin control forget prefer regret permit refer occur rebel repel submit commit equip compel excel expel
    unwrap unplug kidnap babysit overlap
    """.split()  # noqa: SIM905 (a list of quoted words is hard to read)
)
_BRITISH_DOUBLING: Final = re.compile(r"(travel|cancel|model|quarrel|label|signal|marvel|level|pedal|fuel|counsel)$")
# base, past, participle
_IRREGULAR: Final = """
be was been;beat beat beaten;become became become;begin began begun;bend bent bent;bet bet bet;bind bound bound;
bite bit bitten;bleed bled bled;blow blew blown;break broke broken;breed bred bred;bring brought brought;
build built built;burn burnt burnt;burst burst burst;buy bought bought;catch caught caught;choose chose chosen;
come came come;cost cost cost;creep crept crept;cut cut cut;deal dealt dealt;dig dug dug;do did done;draw drew drawn;
dream dreamt dreamt;drink drank drunk;drive drove driven;eat ate eaten;fall fell fallen;feed fed fed;feel felt felt;
fight fought fought;find found found;flee fled fled;fling flung flung;fly flew flown;forbid forbade forbidden;
forget forgot forgotten;forgive forgave forgiven;freeze froze frozen;get got got;give gave given;go went gone;
grind ground ground;grow grew grown;hang hung hung;have had had;hear heard heard;hide hid hidden;hit hit hit;
hold held held;hurt hurt hurt;keep kept kept;kneel knelt knelt;knit knitted knitted;know knew known;lay laid laid;
lead led led;lean leant leant;leap leapt leapt;learn learnt learnt;leave left left;lend lent lent;let let let;
lie lay lain;light lit lit;lose lost lost;make made made;mean meant meant;meet met met;mow mowed mown;
overcome overcame overcome;overtake overtook overtaken;pay paid paid;put put put;quit quit quit;read read read;
rebuild rebuilt rebuilt;ride rode ridden;ring rang rung;rise rose risen;run ran run;saw sawed sawn;say said said;
see saw seen;seek sought sought;sell sold sold;send sent sent;set set set;sew sewed sewn;shake shook shaken;
shine shone shone;shoot shot shot;show showed shown;shrink shrank shrunk;shut shut shut;sing sang sung;
sink sank sunk;sit sat sat;sleep slept slept;slide slid slid;sow sowed sown;speak spoke spoken;spell spelt spelt;
spend spent spent;spill spilt spilt;spin spun spun;spit spat spat;split split split;spoil spoilt spoilt;
spread spread spread;spring sprang sprung;stand stood stood;steal stole stolen;stick stuck stuck;sting stung stung;
strike struck struck;swear swore sworn;sweep swept swept;swell swelled swollen;swim swam swum;swing swung swung;
take took taken;teach taught taught;tear tore torn;tell told told;think thought thought;throw threw thrown;
understand understood understood;undo undid undone;wake woke woken;wear wore worn;weave wove woven;
weep wept wept;win won won;wind wound wound;withdraw withdrew withdrawn;write wrote written;mistake mistook mistaken;
rewrite rewrote rewritten;foresee foresaw foreseen;outgrow outgrew outgrown;unwind unwound unwound;
mislead misled misled;misunderstand misunderstood misunderstood;resell resold resold;overhear overheard overheard;
oversleep overslept overslept;broadcast broadcast broadcast;forecast forecast forecast;upset upset upset;
babysit babysat babysat;bid bid bid;cast cast cast;cling clung clung;dwell dwelt dwelt;prove proved proven;
shave shaved shaved;bear bore borne;
stride strode stridden;strive strove striven;thrust thrust thrust;tread trod trodden;undergo underwent undergone;
undertake undertook undertaken;uphold upheld upheld;withstand withstood withstood;behold beheld beheld;
"""
IRREGULAR: Final = {
    words[0]: (words[1], words[2]) for words in (verb.split() for verb in _IRREGULAR.split(";") if verb.strip())
}
_COMPARED: Final = {"good": ("better", "best"), "bad": ("worse", "worst"), "far": ("farther", "farthest")}
_ENDINGS: Final = ("y", "le", "er", "ow")
_LONG: Final = frozenset(
    "eager proper sober loyal naive bitter tender frank drunk real right glad cruel alert intense just".split()  # noqa: SIM905
)
_A: Final = re.compile(r"(?:eu|ew|uni(?!n|m)|us[eau]|ut[eo]|one\b|once|ubiq|ura|uk)", re.IGNORECASE)


def plural(noun: str) -> str:
    """The regular plural."""
    if re.search(r"(?:s|x|z|ch|sh)$", noun):
        return noun + "es"
    if re.search(r"[^aeiou]y$", noun):
        return noun[:-1] + "ies"
    return noun + "s"


def third_person(verb: str) -> str:
    """The present of he, she and it."""
    if verb in ("be", "have"):
        return {"be": "is", "have": "has"}[verb]
    if verb in ("do", "go", "undergo", "undo", "veto", "echo"):
        return verb + "es"
    return plural(verb)


def doubled(verb: str) -> str:
    """The stem before -ing and -ed, its last consonant doubled where it is."""
    single = re.fullmatch(r"(?:qu|[^aeiou])*(?:qu)?[aeiou][bdgklmnprtvz]", verb) or verb in _DOUBLING
    return verb + verb[-1] if single or _BRITISH_DOUBLING.search(verb) else verb


def gerund(verb: str) -> str:
    """The form that ends in -ing."""
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")) and verb != "be":
        return verb[:-1] + "ing"
    if verb.endswith("ic"):
        return verb + "king"
    return doubled(verb) + "ing"


def past(verb: str) -> tuple[str, str]:
    """Past and participle."""
    if verb in IRREGULAR:
        return IRREGULAR[verb]
    if verb.endswith("e"):
        form = verb + "d"
    elif re.search(r"[^aeiou]y$", verb):
        form = verb[:-1] + "ied"
    elif verb.endswith("ic"):
        form = verb + "ked"
    else:
        form = doubled(verb) + "ed"
    return form, form


def compared(adjective: str, degree: str) -> str:
    """The comparative (er) or superlative (est)."""
    if adjective in _COMPARED:
        return _COMPARED[adjective][degree == "est"]
    syllables = len(re.findall(r"[aeiouy]+", re.sub(r"(?<=[^aeiouyl])e$", "", adjective)))
    if " " in adjective or "-" in adjective or adjective in _LONG:
        short = False
    else:
        short = syllables == 1 or (syllables == 2 and adjective.endswith(_ENDINGS) and not adjective.endswith("ly"))
        short = short or adjective in ("early", "lonely", "friendly", "quiet", "narrow", "lively", "ugly", "lovely")
        short = short and not adjective.endswith(("ing", "ed"))
    if not short:
        return f"{'more' if degree == 'er' else 'most'} {adjective}"
    if adjective.endswith("y") and adjective[-2] not in VOWELS:
        return adjective[:-1] + "i" + degree
    if adjective.endswith("e"):
        return adjective + degree[1:]
    if re.fullmatch(r"[^aeiou]*[aeiou][bdgklmnprtvz]", adjective):
        return adjective + adjective[-1] + degree
    return adjective + degree


def article(word: str) -> str:
    """`a` or `an` before a word."""
    first = word.lstrip("\"'(").lower()
    if _A.match(first):
        return "a"
    if first[:1] in VOWELS or re.match(r"hour|honest|honou?r|heir|8|11(?!\d)|18(?!\d)", first):
        return "an"
    return "a"

"""Write conjugations.fr.tsv: the stems of every French verb of the lexicon, as verbecc 2.0.3 conjugates them.

Run by hand after verbs were added (`pip install verbecc==2.0.3`); neither training nor the application needs verbecc.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
COLUMNS = ("infinitive", "present", "imperfect", "future", "subjunctive", "imperative", "participle")
ALWAYS = {
    "être",
    "avoir",
    "aller",
    "venir",
    "faire",
    "pleuvoir",
    "neiger",
    "falloir",
    "pouvoir",
    "devoir",
    "vouloir",
    "savoir",
}


DEFECTIVE = {  # verbs of `il` alone
    "pleuvoir": ["- - pleut - - -", "pleuv", "pleuvr", "- - pleuve - - -", "- - -", "plu"],
    "neiger": ["- - neige - - -", "neige", "neiger", "- - neige - - -", "- - -", "neigé"],
    "falloir": ["- - faut - - -", "fall", "faudr", "- - faille - - -", "- - -", "fallu"],
}


def lemmas() -> set[str]:
    """All French infinitives of verbs.tsv and of the verbs in the templates of rules.tsv."""
    found = set(ALWAYS)
    for path in FOLDER.glob("verbs*.tsv"):
        lines = path.read_text(encoding="utf-8").splitlines()
        column = lines[0].split("\t").index("fr")
        for line in lines[1:]:
            words = re.sub(r"^(?:s'|se )", "", line.split("\t")[column]).split()
            found.add(words[0])
    for line in (FOLDER / "rules.tsv").read_text(encoding="utf-8").splitlines():
        columns = line.split("\t")
        if len(columns) >= 6:
            found |= {verb.split("_")[-1] for verb in re.findall(r"<([^<>]+)>", columns[5])}
    return {verb for verb in found if len(verb) > 2}


def forms(conjugator: Any, verb: str) -> list[str]:
    if verb in DEFECTIVE:
        return [verb, *DEFECTIVE[verb]]
    moods = conjugator.conjugate(verb).get_data()["moods"]

    def simple(mood: str, tense: str) -> list[str]:
        found: dict[str, str] = {}
        for form in moods[mood][tense]:
            person = form["p"] + form["n"]
            found.setdefault(
                person, re.sub(r"^(?:que |qu')?(?:je |j'|tu |il |elle |on |nous |vous |ils |elles )", "", form["c"][0])
            )
        keys = ("1s", "2s", "3s", "1p", "2p", "3p")
        return [found.get(key, "-") or "-" for key in keys]

    present, imperfect = simple("indicatif", "présent"), simple("indicatif", "imparfait")
    future, subjunctive = simple("indicatif", "futur-simple"), simple("subjonctif", "présent")
    imperative = [form["c"][0] for form in moods["imperatif"]["imperatif-présent"]] or ["-"] * 3
    participle = moods["participe"]["participe-passé"][0]["c"][0]
    stem = imperfect[2].removesuffix("ait")
    return [
        verb,
        " ".join(present),
        stem,
        future[2].removesuffix("a"),
        " ".join(subjunctive),
        " ".join(imperative),
        participle,
    ]


def main() -> None:
    from verbecc import CompleteConjugator, LangCodeISO639_1

    conjugator = CompleteConjugator(LangCodeISO639_1.fr)
    rows = [forms(conjugator, verb) for verb in sorted(lemmas())]
    text = "\n".join("\t".join(row) for row in [list(COLUMNS), *rows])
    (FOLDER / "conjugations.fr.tsv").write_text(text + "\n", encoding="utf-8")
    print(f"{len(rows)} verbs", file=sys.stderr)


if __name__ == "__main__":
    main()

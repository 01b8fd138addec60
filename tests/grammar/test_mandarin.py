"""The Mandarin-English grammar: hand-written expectations for each rule, with a lexicon of a few words."""

# ruff: noqa: E501 (a rule and its pair are easier to read in one line)
from __future__ import annotations

import re
import shutil
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from nmtcore.__main__ import main
from nmtcore.errors import DataError
from nmtcore.grammar.grammar import FOLDER, Grammar
from nmtcore.grammar.mandarin_numbers import numeral, year
from nmtcore.text.words import split_words

FILES = {
    "nouns.tsv": """en en_plural zh zh_measure kinds count place sex
book - 书 本 text - - -
cup - 杯子 个 container - 里/in -
table - 桌子 张 furniture - 上/on -
teacher - 老师 位 person+job - - f
tea - 茶 杯 drink m - -
kitchen - 厨房 间 room+own - 里/in -
dog - 狗 只 pet - - -
mother - 妈妈 个 kin - - f
shoes shoes 鞋 双 garment p - -
violin - 小提琴 把 bow - - -
school - 学校 所 building - /at -
""",
    "verbs.tsv": """en zh subject frame marks
read 看 person :text guo+manner
drink 喝 person :drink+food guo
break 打|破 person :container punct+ba+bei+nowill
wash 洗 person :container ba
put 放|在 person :container_:PLACE bamust+punct
swim 游/泳 person - guo+ability
swim 游/泳 person 跟/with:person guo+together
see 看|见 person :pet punct+nowill
graduate 毕/业 person - punct+event
go 去 person :TO punct+guo
work 工作 person :PLACE -
wear 穿 person :garment zhe
know 认识 person :person state
talk 说/话 person 跟/to:person guo
play 拉 person :bow= -
want 想 person /to:INF state
""",
    "adjectives.tsv": """en zh kinds marks
big 大 pet+furniture -
clever 聪明 pet+person -
tired 累 person+mood predicative
red 红色 container+clothing attributive
""",
    "adverbs.tsv": "en zh marks\noften 常常 frequency\ncarefully 仔细地 manner\n",
    "names.tsv": "en zh sex\nAnna 安娜 f\n",
    "chinese_names.tsv": "part zh en sex\nsurname 王 Wang -\ngiven 小明 Xiaoming m\n",
    "cities.tsv": "en zh\nBeijing 北京\n",
    "countries.tsv": "en zh\nFrance 法国\n",
}
MOOD = "s:Name b:Clause(subject=s,tense=habit,only=moody,neg=no) p:Pronoun(of=s)"
DEMO = "s:Name n:NP(text,role=object,det=demo,number=sg)"
SOON = "s:Name b:Clause(subject=s,tense=imperfect,bare=yes,verb=event,neg=no) p:Pronoun(of=s)"
# rule of the sentence: parts, Mandarin, English; and pairs that it must make
EXPECTED = {
    ("s:Name c:Clause(subject=s,tense=past,bare=yes)", "{c} .", "{c} ."): [
        ("安娜 看 了 一 本 书 。", "Anna read a book."),
        ("安娜 没 看 这 本 书 。", "Anna didn't read this book."),
        ("安娜 没有 看 这 本 书 。", "Anna didn't read this book."),
        ("王小明 游泳 了 。", "Wang Xiaoming swam."),
        ("安娜 毕业 了 。", "Anna graduated."),
        ("王小明 打破 了 那 个 杯子 。", "Wang Xiaoming broke that cup."),
        ("王小明 把 那 个 杯子 打破 了 。", "Wang Xiaoming broke that cup."),
        ("安娜 把 一 个 杯子 放在 了 桌子 上 。", "Anna put a cup on the table."),
        ("安娜 喝 了 一 杯 茶 。", "Anna drank a cup of tea."),
        ("安娜 拉 了 小提琴 。", "Anna played the violin."),
        ("安娜 去 了 学校 。", "Anna went to the school."),
        ("安娜 在 学校 工作 了 。", "Anna worked at the school."),
        ("安娜 跟 王小明 说话 了 。", "Anna talked to Wang Xiaoming."),
        ("安娜 洗 了 一 个 红色 的 杯子 。", "Anna washed a red cup."),
        ("安娜 把 她 的 杯子 洗 了 。", "Anna washed her cup."),
    ],
    ("s:Name c:Clause(subject=s,tense=now,neg=no,bare=yes)", "{c} .", "{c} ."): [
        ("安娜 正在 看 一 本 书 。", "Anna is reading a book."),
        ("王小明 正 在 学校 工作 。", "Wang Xiaoming is working at the school."),
        ("安娜 穿 着 一 双 鞋 。", "Anna is wearing a pair of shoes."),
    ],
    ("s:Name c:Clause(subject=s,tense=experience,bare=yes)", "{c} .", "{c} ."): [
        ("安娜 看 过 这 本 书 。", "Anna has read this book."),
        ("安娜 没 看 过 这 本 书 。", "Anna hasn't read this book."),
        ("安娜 从来 没 看 过 这 本 书 。", "Anna has never read this book."),
        ("王小明 游 过 泳 。", "Wang Xiaoming has swum."),
    ],
    ("s:Name c:Clause(subject=s,tense=about)", "{c} .", "{c} ."): [
        ("安娜 快要 毕业 了 。", "Anna is about to graduate."),
    ],
    ("s:Name c:Clause(subject=s,tense=already,bare=yes)", "{c} .", "{c} ."): [
        ("安娜 已经 毕业 了 。", "Anna has already graduated."),
        ("安娜 已经 喝 了 一 杯 茶 。", "Anna has already drunk a cup of tea."),
    ],
    ("s:Name c:Clause(subject=s,tense=habit)", "{c} .", "{c} ."): [
        ("安娜 常常 在 学校 工作 。", "Anna often works at the school."),
        ("安娜 不 认识 王小明 。", "Anna doesn't know Wang Xiaoming."),
        ("安娜 会 游泳 。", "Anna can swim."),
        ("安娜 想 喝 茶 。", "Anna wants to drink tea."),
        ("安娜 每天 喝 茶 。", "Anna drinks tea every day."),
        ("安娜 是 一 位 老师 。", "Anna is a teacher."),
        ("安娜 很 累 。", "Anna is tired."),
        ("安娜 不 累 。", "Anna isn't tired."),
    ],
    ("c:Clause(tense=habit,only=compare)", "{c} .", "{c} ."): [("安娜 比 王小明 聪明 。", "Anna is cleverer than Wang Xiaoming.")],
    ("c:Clause(tense=now,only=growing)", "{c} .", "{c} ."): [("那 只 狗 越来越 大 。", "That dog is getting bigger and bigger.")],
    ("n:NP(text,role=subject,det=this,number=sg,adj=no) p:Number(from=30,to=30)", "{n} {p} 块~1 钱~1 .", "{n} costs {p} yuan~1 ."): [
        ("这 本 书 三十 块 钱 。", "This book costs 30 yuan."),
    ],
    ("c:Clause(tense=habit,only=there)", "{c} .", "{c} ."): [("桌子 上 有 一 个 杯子 。", "There is a cup on the table.")],
    ("c:Clause(tense=past,only=passive)", "{c} .", "{c} ."): [
        ("那 个 杯子 被 安娜 打破 了 。", "That cup was broken by Anna."),
        ("杯子 没 被 打破 。", "The cup wasn't broken."),
    ],
    ("s:Name c:Clause(subject=s,form=question,tense=past,bare=yes,neg=no)", "{c} ?", "{c} ?"): [
        ("安娜 游泳 了 吗 ？", "Did Anna swim?"),
    ],
    ("s:Name c:Clause(subject=s,form=question,tense=past,bare=yes,neg=not)", "{c:为什么} ?", "why~1 {c} ?"): [
        ("安娜 为什么 没 游泳 ？", "Why didn't Anna swim?"),
    ],
    ("s:Name c:Clause(subject=s,form=question,tense=past,bare=yes,neg=no)", "{c:是什么时候} ?", "when~1 {c} ?"): [
        ("安娜 是 什么时候 毕业 的 ？", "When did Anna graduate?"),
    ],
    ("w:What c:Clause(object=w,gap=object,form=question,tense=past,neg=no,bare=yes)", "{c} ?", "{w} {c} ?"): [
        ("安娜 看 了 什么 ？", "What did Anna read?"),
    ],
    ("w:Who c:Clause(subject=w,gap=subject,form=question,tense=past,neg=no,bare=yes)", "{c} ?", "{w} {c} ?"): [
        ("谁 打破 了 那 个 杯子 ？", "Who broke that cup?"),
    ],
    ("n:NP(text,det=howmany,adj=no,number=pl) s:Name c:Clause(object=n,gap=object,form=question,tense=past,neg=no,bare=yes)",
     "{c} ?", "{n} {c} ?"): [("安娜 看 了 几 本 书 ？", "How many books did Anna read?")],
    (f"{MOOD} a:Clause(subject=p,tense=will,verb=will,bare=yes,neg=not)", "因为~1 {b} , 所以~2 {a} .", "{b} , so~2 {a} ."): [
        ("因为 安娜 很 累 ， 所以 她 不 会 游泳 。", "Anna is tired, so she won't swim."),
    ],
    (f"{MOOD} a:Clause(subject=p,tense=will,verb=will,bare=yes,neg=no)", "虽然~1 {b} , 但是 {a} .", "although~1 {b} , {a} ."): [
        ("虽然 安娜 很 累 ， 但是 她 会 游泳 。", "Although Anna is tired, she'll swim."),
    ],
    ("b:Weather s:Name a:Clause(subject=s,tense=will,bare=yes,verb=will)", "如果~1 明天~2 {b} , {a:就} .", "if~1 {b} tomorrow~2 , {a} ."): [
        ("如果 明天 下雨 ， 安娜 就 不 会 游泳 。", "If it rains tomorrow, Anna won't swim."),
    ],
    ("s:Name a:Clause(subject=s,tense=pastprog,bare=yes,verb=will,neg=no) b:Interruption", "{a} 的~1 时候~1 , {b} .", "when~1 {a} , {b} ."): [
        ("安娜 正在 游泳 的 时候 ， 电话 响 了 。", "When Anna was swimming, the phone rang."),
    ],
    ("s:Name c:Clause(subject=s,tense=habit,verb=state,bare=yes,neg=no)", "连~1 {c:都} .", "even~1 {c} ."): [
        ("连 安娜 都 认识 王小明 。", "Even Anna knows Wang Xiaoming."),
    ],
    (f"{DEMO} c:Clause(subject=s,object=n,gap=topic,tense=experience|already,bare=yes)", "{n} {c} .", "{c} ."): [
        ("这 本 书 安娜 看 过 。", "Anna has read this book."),
        ("那 本 书 王小明 没 看 过 。", "Wang Xiaoming hasn't read that book."),
        ("这 本 书 安娜 已经 看 了 。", "Anna has already read this book."),
    ],
    (f"{DEMO} c:Clause(subject=s,object=n,gap=topic,form=question,tense=experience,neg=no,bare=yes)", "{n} {c} ?", "{c} ?"): [
        ("这 本 书 安娜 看 过 吗 ？", "Has Anna read this book?"),
    ],
    ("s:Name c:Clause(subject=s,tense=potential,bare=yes,verb=potential,neg=not)", "{c} .", "{c} ."): [
        ("安娜 看不见 那 只 狗 。", "Anna can't see that dog."),
        ("安娜 看不见 那 只 狗 。", "Anna cannot see that dog."),
    ],
    ("s:Name c:Clause(subject=s,form=question,tense=potential,bare=yes,verb=potential,neg=no)", "{c} ?", "{c} ?"): [
        ("安娜 看得见 那 只 狗 吗 ？", "Can Anna see that dog?"),
    ],
    ("s:Name c:Clause(subject=s,tense=habit,verb=state,bare=yes,neg=no) o:You", "{c} , {o} 呢~1 ?", "{c} . What~1 about~1 {o:object} ?"): [
        ("安娜 认识 王小明 ， 你 呢 ？", "Anna knows Wang Xiaoming. What about you?"),
    ],
    ("n:NP(text,role=subject,det=poss,number=sg,adj=no)", "{n} 呢~1 ?", "where~1 is@n {n} ?"): [
        ("你 的 书 呢 ？", "Where is your book?"),
    ],
    ("s:Name c:Clause(subject=s,form=question,tense=habit,verb=state,bare=yes,neg=no)", "{c:不} ?", "{c} ?"): [
        ("安娜 认不认识 王小明 ？", "Does Anna know Wang Xiaoming?"),
    ],
    ("s:Name c:Clause(subject=s,form=question,tense=habit,only=modal,neg=no)", "{c:不} ?", "{c} ?"): [
        ("安娜 会不会 游泳 ？", "Can Anna swim?"),
    ],
    ("s:Name c:Clause(subject=s,form=question,tense=future,bare=yes,neg=no)", "{c:不} ?", "{c} ?"): [
        ("安娜 会不会 游泳 ？", "Will Anna swim?"),
        ("安娜 要不要 游泳 ？", "Is Anna going to swim?"),
    ],
    ("s:Name c:Clause(subject=s,form=question,tense=past|experience,bare=yes,neg=no)", "{c:不} ?", "{c} ?"): [
        ("安娜 有没有 看 这 本 书 ？", "Did Anna read this book?"),
        ("安娜 有没有 看 过 这 本 书 ？", "Has Anna read this book?"),
    ],
    ("c:Clause(form=question,tense=habit,only=reason,neg=no)", "{c:不} ?", "{c} ?"): [
        ("那 只 狗 大不大 ？", "Is that dog big?"),
    ],
    (f"{DEMO} c:Clause(subject=s,object=n,gap=topic,tense=past,neg=even,bare=yes)", "{c:连} .", "{c} ."): [
        ("安娜 连 这 本 书 都 没 看 。", "Anna didn't even read this book."),
        ("王小明 连 那 本 书 都 没有 看 。", "Wang Xiaoming did not even read that book."),
    ],
    ("x:Name e:Everyone c:Clause(subject=e,tense=past,bare=yes,neg=no)", "除了~2 {x} 以外~2 , {c:都} .", "except~2 for~2 {x:for} , {c} ."): [
        ("除了 王小明 以外 ， 大家 都 毕业 了 。", "Except for Wang Xiaoming, everyone graduated."),
    ],
    ("x:Name s:Name c:Clause(subject=s,tense=past,bare=yes,neg=no)", "除了~2 {x} 以外~2 , {c:也} .", "besides~2 {x} , {c} too~1 ."): [
        ("除了 王小明 以外 ， 安娜 也 毕业 了 。", "Besides Wang Xiaoming, Anna graduated too."),
    ],
    (f"{SOON} a:Clause(subject=p,tense=past,bare=yes,neg=no)", "{b:一} {a:就!} .", "as~1 soon~1 as~1 {b} , {a} ."): [
        ("安娜 一 毕业 就 游泳 了 。", "As soon as Anna graduated, she swam."),
    ],
    (f"{SOON} a:Clause(subject=p,tense=past,bare=yes)", "{b} 以后~1 , {a:same} .", "after~1 {b} , {a} ."): [
        ("安娜 毕业 以后 ， 游泳 了 。", "After Anna graduated, she swam."),
        ("安娜 毕业 以后 ， 没 游泳 。", "After Anna graduated, she didn't swim."),
    ],
    ("s:Name c:Clause(subject=s,tense=past,bare=yes,neg=no,verb=together)", "{c} .", "{c} ."): [
        ("安娜 跟 王小明 一起 游泳 了 。", "Anna swam with Wang Xiaoming."),
    ],
    ("u:You c:Clause(form=imperative,subject=u,tense=imperative,bare=yes,neg=not)", "{c} !", "{c} !"): [
    ],
}  # fmt: skip


def small(folder: Path, sentence: tuple[str, str, str] | None) -> Grammar:
    """The grammar with a few words, and one rule for sentences."""
    path = folder / "zh-en"
    shutil.copytree(FOLDER / "zh-en", path)
    for more in (*path.glob("nouns?.tsv"), *path.glob("verbs?.tsv"), *path.glob("adjectives?.tsv")):
        more.unlink()
    for name, text in FILES.items():
        rows = [[w.replace("_:", " :") if w != "-" else "" for w in line.split(" ")] for line in text.splitlines()]
        if name in ("verbs.tsv", "nouns.tsv"):
            rows = [
                [w.replace("+", " ") if i == 4 and name == "verbs.tsv" else w for i, w in enumerate(row)]
                for row in rows
            ]
        (path / name).write_text("\n".join("\t".join(row) for row in rows) + "\n", encoding="utf-8")
    if sentence:
        rules = (path / "rules.tsv").read_text(encoding="utf-8").split("\n")
        rules = [rule for rule in rules if not rule.startswith("Sentence")]
        parts, zh, en = sentence
        rules.append(f"Sentence\t1\t{parts}\t\t{zh}\t{en}")
        (path / "rules.tsv").write_text("\n".join(rules), encoding="utf-8")
    return Grammar.load(folder, "zh-en")


@cache
def made(sentence: tuple[str, str, str]) -> frozenset[tuple[str, str]]:
    """Pairs of the rule: as many as are drawn until all that are expected are there."""
    missing = set(EXPECTED[sentence])
    with TemporaryDirectory() as folder:
        grammar = small(Path(folder), sentence)
        random = Random(1)
        found: set[tuple[str, str]] = set()
        for _ in range(60_000):
            pair = grammar.draw(random)
            if pair:
                found.add((pair.words, pair.target))
                missing.discard((pair.words, pair.target))
            if not missing:
                break
    return frozenset(found)


@pytest.mark.parametrize(
    ("sentence", "words", "target"), [(rule, *pair) for rule, pairs in EXPECTED.items() for pair in pairs]
)
def test_rule(sentence: tuple[str, str, str], words: str, target: str) -> None:
    assert (words, target) in made(sentence)


@pytest.fixture(scope="module")
def grammar() -> Grammar:
    return Grammar.load(pair="zh-en")


def test_same_seed_same_pairs(grammar: Grammar) -> None:
    pairs = grammar.pairs(300, 5)
    assert len({pair.source for pair in pairs}) == 300
    assert pairs[:30] == grammar.pairs(30, 5) != grammar.pairs(30, 6)


def test_dates_keep_to_one_kind_of_numerals(grammar: Grammar) -> None:
    dates = [pair.source for pair in grammar.pairs(60, 2, "Day")]
    assert all(bool(re.search(r"\d", date)) != bool(re.search("[一二三四五六七八九十]", date)) for date in dates)
    assert 10 < sum("月" in date and date[0].isdecimal() for date in dates) < 50


def test_links_count_the_words_that_are_shown(grammar: Grammar) -> None:
    """Every Mandarin word but punctuation and a few particles is linked to an English one."""
    unlinked = total = 0
    for pair in grammar.pairs(300, 7):
        source = pair.words.split(" ")
        assert "".join(source) == pair.source
        assert all(i < len(source) and j < len(split_words(pair.target)) for i, j in pair.links)
        linked = {i for i, _ in pair.links}
        unlinked += sum(i not in linked for i, word in enumerate(source) if word.isalnum())
        total += len(source)
    assert unlinked < 0.05 * total


@pytest.mark.parametrize(
    ("value", "text"),
    [
        *((2, "二"), (10, "十"), (12, "十二"), (20, "二十"), (35, "三十五"), (105, "一百零五"), (110, "一百一十")),
        *((2000, "两千"), (3050, "三千零五十"), (20000, "两万"), (10500, "一万零五百"), (222, "二百二十二")),
    ],
)
def test_numerals(value: int, text: str) -> None:
    assert numeral(value) == text


def test_years_and_measured_numbers() -> None:
    assert (year(2015), numeral(2, measured=True), numeral(12, measured=True)) == ("二零一五", "两", "十二")


@pytest.mark.parametrize(
    ("file", "row", "message"),
    [
        ("nouns.tsv", "dragon\t\t龙\t\tanimal", "zh_measure is empty"),
        ("nouns.tsv", "dragon\t\t\t条\tanimal", "zh is empty"),
        ("nouns.tsv", "dragon\t\t龙\t条\tbeast", "'beast' is no kind"),
        ("verbs.tsv", "slay\t杀|\tperson\t:animal", "must follow the |"),
        ("chinese_names.tsv", "clan\t王\tWang", "'clan' is no part"),
        ("chinese_names.tsv", "given\t明\tMing\tx", "sex holds"),
        ("rules.tsv", "Sentence\t5\tc:Dragon\t\t{c}\t{c}", "no category 'Dragon'"),
    ],
)
def test_errors_name_file_and_row(tmp_path: Path, file: str, row: str, message: str) -> None:
    shutil.copytree(FOLDER / "zh-en", tmp_path / "zh-en")
    path = tmp_path / "zh-en" / file
    text = path.read_text(encoding="utf-8").rstrip()
    path.write_text(f"{text}\n{row}\n", encoding="utf-8")
    with pytest.raises(DataError) as caught:
        Grammar.load(tmp_path, "zh-en")
    assert message in str(caught.value)
    assert f"{file}, row {text.count(chr(10)) + 2}: " in str(caught.value)


def test_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["grammar", "--pair", "zh-en", "--count", "3", "--links"]) == 0
    rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert [len(row) for row in rows] == [3, 3, 3]
    assert all(" " in row[0] for row in rows)
    assert main(["grammar", "--pair", "zh-en", "--data", str(tmp_path)]) == 2
    assert "no grammar for zh-en" in capsys.readouterr().err

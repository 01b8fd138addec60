"""Build a lesson as one HTML page: Markdown by markdown-it-py without raw HTML, each picture with its records."""

import html
import json
from collections.abc import Callable, Iterator
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from nmtcore.errors import DataError, NmtError
from nmtcore.files import atomic_write
from nmtcore.messages import N_, Messages
from nmtcore.views import bundle
from nmtcore.views.html import THEME, in_script
from nmtcore.views.lesson.live import live_question
from nmtcore.views.lesson.read import Lesson, Section, read_lesson
from nmtcore.views.linked import linked_picture
from nmtcore.views.notebook import Picture

HERE = Path(__file__).parent
SITE = HERE.parent / "site"
LARGEST = 3_000_000  # bytes of a lesson
LARGEST_LIVE = 8_000_000  # of one with live pictures: with any model but a Transformer
LIVE = "live"  # the title of an image that asks for a live picture
MESSAGES: Messages = {
    "contents": N_("Contents"),
    "minutes": N_("{count} min"),
    "answer": N_("Answer"),
    "type": N_("Type a sentence of your own:"),
    "translate": N_("Translate"),
    "keys": N_("Keys: n for the next section, p for the one before, a for all answers."),
}

Draw = Callable[[str], Picture]


def build(lesson: Path, out: Path, say: Callable[[str], None] = lambda _: None) -> int:
    """Write the page of a lesson atomically and return its size in bytes. Raises NmtError before writing anything."""

    def draw(link: str) -> Picture:
        say(link)
        return linked_picture(link)

    read = read_lesson(lesson)
    try:
        content = page_of(read, draw).encode()
    except NmtError as error:
        raise DataError(f"{lesson}: {error}") from error
    if len(content) > (largest := LARGEST_LIVE if any(map(_is_live, read.section)) else LARGEST):
        raise DataError(
            f"{lesson}: its page has {len(content) / 1e6:.1f} MB; more than {largest / 1e6:.0f} are hard to send: "
            "take a picture out, shorten a sentence, or make a smaller model live."
        )
    atomic_write(out, content)
    return len(content)


def page_of(lesson: Lesson, draw: Draw = linked_picture) -> str:
    """The page of a lesson. draw: makes the picture of a link. Raises NmtError for a link without a picture."""
    maker = _Maker(draw)
    about = maker.text(lesson.about, "about") if lesson.about else ""
    sections = "\n".join(maker.section(number, section) for number, section in enumerate(lesson.section, 1))
    contents = "".join(
        f'<li><a href="#section-{n}">{html.escape(s.title)}</a>{_minutes(s.minutes)}</li>'
        for n, s in enumerate(lesson.section, 1)
    )
    views = sorted(maker.views)
    styles = "\n".join(f'<style media="not all" data-view="{view}">{bundle.style_of(view)}</style>' for view in views)
    scripts = "\n".join(f'<script type="module">\n{_script(view)}</script>' for view in views)
    return (
        (HERE / "page.html")
        .read_text(encoding="utf-8")
        .format(
            language=lesson.language,
            title=html.escape(lesson.title),
            style=f"{THEME}{bundle.style(HERE / 'lesson.css')}",
            minutes=_minutes(sum(section.minutes for section in lesson.section)),
            about=about,
            contents_title=MESSAGES["contents"],
            contents=contents,
            keys=MESSAGES["keys"],
            sections=sections,
            styles=styles,
            host=bundle.script(HERE / "page.js"),
            files="\n".join(maker.files()),
            scripts=scripts,
        )
    )


class _Maker:
    """Renders Markdown and remembers the views of its pictures."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.views: set[str] = set()
        self.markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
        self.renderer = RendererHTML()
        self.weights: dict[str, str] = {}  # files of live pictures, in base64, by name

    def files(self) -> Iterator[str]:
        """Shared by live pictures: the worker's script, and the files of models."""
        if not self.weights:
            return
        worker = bundle.script(SITE / "worker.js").replace("</script", "<\\/script")
        yield f'<script type="text/plain" id="worker">\n{worker}</script>'
        for name, content in self.weights.items():
            yield f'<script type="text/plain" id="{html.escape(name)}">{content}</script>'

    def section(self, number: int, section: Section) -> str:
        where = f"section {number}"
        questions = "\n".join(
            f'<div class="question">{self.text(question.ask, where)}<details><summary>{MESSAGES["answer"]}</summary>'
            f"{self.text(question.answer, where)}</details></div>"
            for question in section.question
        )
        return (
            f'<section id="section-{number}"><h2>{html.escape(section.title)}{_minutes(section.minutes)}</h2>\n'
            f"{self.text(section.text, where, pictures=True)}{questions}</section>"
        )

    def text(self, text: str, where: str, pictures: bool = False) -> str:
        """HTML of a text; an image on its own is a figure if `pictures` are allowed."""
        tokens = self.markdown.parse(text)
        made: list[Token] = []
        for token in tokens:
            image = _only_image(token)
            if image and pictures and made[-1].type == "paragraph_open":
                made[-1] = Token("html_block", "", 0, content=self.figure(image))
            elif made and made[-1].type == "html_block" and token.type == "paragraph_close":
                continue
            elif any(child.type == "image" for child in token.children or ()):
                raise DataError(f"{where}: a picture must stand in a paragraph of its own, in the text of a section.")
            else:
                made.append(token)
        return str(self.renderer.render(made, self.markdown.options, {}))

    def figure(self, image: Token) -> str:
        """The picture to which an image's address leads, with its text as the caption."""
        link = str(image.attrGet("src"))
        drawn = self.draw(link)
        self.views.add(drawn.view)
        live = self.live(link, drawn) if image.attrGet("title") == LIVE else ""
        caption = self.renderer.renderInline(image.children or [], self.markdown.options, {})
        return (
            f'<figure data-view="{drawn.view}">{live}<div></div><noscript>{drawn.still}</noscript>'
            f'<script type="application/json">{in_script(json.dumps(drawn.data, ensure_ascii=False))}</script>'
            f"<figcaption>{caption}</figcaption></figure>\n"
        )

    def live(self, link: str, drawn: Picture) -> str:
        """A line to type into, and the question to its model."""
        question, files = live_question(link, drawn.data)
        asked = in_script(json.dumps(question, ensure_ascii=False))
        self.weights |= files
        return (
            f'<form class="live"><label>{MESSAGES["type"]} <input name="text" autocomplete="off" '
            f'lang="{question["pair"][:2]}"></label> <button>{MESSAGES["translate"]}</button> <output></output></form>'
            f'<script type="application/json" class="question">{asked}</script>'
        )


def _is_live(section: Section) -> bool:
    tokens = MarkdownIt("commonmark", {"html": False}).parse(section.text)
    return any(image.attrGet("title") == LIVE for token in tokens if (image := _only_image(token)))


def _only_image(token: Token) -> Token | None:
    children = token.children or []
    return children[0] if len(children) == 1 and children[0].type == "image" else None


def _script(view: str) -> str:
    script = bundle.named(bundle.script_of(view), "draw").replace("</script", "<\\/script")
    return f"{script}\ndrawFigures({json.dumps(view)}, draw);\n"


def _minutes(count: int) -> str:
    return f" <small>{MESSAGES['minutes'].format(count=count)}</small>" if count else ""

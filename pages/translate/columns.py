"""The columns of the Translate page, each with a link to its beam search."""

from dataclasses import replace
from urllib.parse import urlencode

from nmtcore.decoding.mask_predict import MaskPredictRecord
from nmtcore.decoding.trace import Trace
from nmtcore.views.alignment.data import Panel
from pages.common import models
from pages.common.alignment import model_panel
from pages.common.i18n import _
from pages.common.question import Question, question_texts
from pages.common.registry import page_texts
from pages.common.side_by_side import offered
from pages.common.training_data import training_data_note
from pages.translate.state import TranslateState


def about(state: TranslateState) -> tuple[str, str]:
    """The sentence under the title, and what differs in the models' training data; a saved model may stand alone."""
    count = len(state.chosen)
    if count > 1:
        difference = training_data_note(model for model in state.chosen if models.readable(model))
        if difference:
            says = _("Pick a word to see what each model made it from. These models were trained on different data.")
            return says, difference
        return _("The same sentence by several models. Pick a word to see, in each, what it was made from."), ""
    if len(offered(state.question.choice)) > 1:
        return _("One model translates the sentence. Pick a word to see what it was made from."), ""
    return _("This model was trained for a task of its own. Pick a word to see what it was made from."), ""


def draw_column(question: Question, model: str, trace: Trace | MaskPredictRecord) -> Panel:
    """The column of a model."""
    panel = model_panel(model, trace)
    search = search_address(question, model) if panel.autoregressive else panel.search
    return replace(panel, search=search, translation=question.source.with_emoji(panel.translation))


def search_address(question: Question, model: str, **values: float) -> str:
    """The page with this model's beam search of the question. values: of fields of that page."""
    asked = question_texts(question, model) | page_texts("beam", model_code=models.architecture(model), **values)
    return f"beam?{urlencode(asked)}"

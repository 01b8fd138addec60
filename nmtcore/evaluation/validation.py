"""Score translations of validation sentences during training: BLEU, or exact match in an exercise, with samples."""

from collections.abc import Sequence
from dataclasses import dataclass

from nmtcore.config import DecodingConfig
from nmtcore.decoding.batched import translate_all
from nmtcore.evaluation.bleu_chrf import quality
from nmtcore.evaluation.references import Item
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.fast import accelerate
from nmtcore.models.seq2seq import Seq2Seq
from nmtcore.text.vocabulary import Vocab
from nmtcore.training.exercises import Exercise

SAMPLES = 5  # outputs kept with a score
MOST_PIECES = 1000  # in an output


@dataclass(frozen=True)
class Scorer:
    """Translates held-out sentences greedily and scores them: `fit` calls it at every validation."""

    items: Sequence[Item]
    vocab: Vocab
    target: str = ""  # language, for BLEU's tokenizer
    task: Exercise | None = None  # knows the right answers, so exact match replaces BLEU

    def __call__(self, model: Seq2Seq) -> tuple[float, tuple[str, ...]]:
        """The score in percent, and a few samples: source, output and reference, separated by tabs."""
        outputs = self.translate(model)
        rows = list(zip(self.items, outputs, strict=True))
        samples = tuple(f"{item.source}\t{output}\t{item.references[0]}" for item, output in rows[:SAMPLES])
        if self.task is None:
            return round(quality(outputs, self.items, self.target)["bleu"], 2), samples
        return 100 * sum(self.task.check(item.source, output) for item, output in rows) / len(rows), samples

    def translate(self, model: Seq2Seq) -> list[str]:
        """The outputs, each at most twice as long as the longest reference, since a new model never stops."""
        references = [reference for item in self.items for reference in item.references]
        longest = max(map(len, self.vocab.target.encode_all(references)))
        decoding = DecodingConfig(max_length=min(MOST_PIECES, 2 * longest + 5))
        decoder = Checkpoint(accelerate(model.eval()), self.vocab, "", {})
        return translate_all(decoder, [decoder.read(item.source) for item in self.items], decoding).texts

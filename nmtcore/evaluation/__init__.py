"""Evaluation: BLEU and chrF, alignment error, challenge set, distillation, cards. May import training and below."""

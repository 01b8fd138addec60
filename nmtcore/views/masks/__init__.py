"""Masks of a padded batch: its rows of pieces, and the effect of padding mask and future mask on any head."""

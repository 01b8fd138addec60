"""Masks of a padded batch: its rows of pieces, and what padding mask and future mask do to any head."""

"""Mask-predict round by round: all words at once, the least certain masked and written again."""

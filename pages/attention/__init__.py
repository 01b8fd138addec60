"""Additive and dot attention: one walkthrough of the steps of attention, two pages."""

"""Figures of records for pages, notebooks and reports, by Plotly and Altair; what was computed is in the records.

It may import analysis and below. The functions stay in their modules, so that colours can be had from `palette` without
loading Plotly.
"""

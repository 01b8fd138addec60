"""Plotly and Altair figures for pages, notebooks and reports, drawn from finished records.

It may import analysis and below. The functions stay in their modules, so that colours can be had from `palette` without
loading Plotly.
"""

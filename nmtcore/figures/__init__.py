"""Plotly and Altair figures for pages, notebooks and reports, drawn from finished records.

May import analysis and everything that analysis may import. Its functions stay in their modules, so that colours can be
imported from `palette` without loading Plotly.
"""

"""Figures of records for pages, notebooks and reports: Plotly and Altair, no torch, no Streamlit.

It may import analysis and below. The functions stay in their modules, so that colours can be had from `palette` without
loading Plotly.
"""

"""Pictures of a Trace: a function takes what the record holds and returns a figure. No torch, no Streamlit.

The functions stay in their modules (`from nmtcore.figures.heatmap import attention_heatmap`), so that colours
can be had from `palette` without loading Plotly.
"""

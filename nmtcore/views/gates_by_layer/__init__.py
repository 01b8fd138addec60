"""The gates of a deep recurrent decoder, layer by layer: a picture for Streamlit, notebooks and HTML files."""

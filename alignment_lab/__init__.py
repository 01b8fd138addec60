"""The command `alignment-lab`. A wheel contains the app in this package: app.py, pages/, locale/ and .streamlit/."""

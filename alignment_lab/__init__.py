"""The command `alignment-lab`. In a wheel the app lies beside it: app.py, pages/, locale/ and .streamlit/."""

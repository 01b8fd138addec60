"""Tests in Chromium, driven by Playwright: the app as people use it. One browser serves the whole folder."""

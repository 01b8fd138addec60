"""A button that copies the page's address: every control is in it, so the link reopens what is on the screen."""

from __future__ import annotations

import streamlit as st

from pages.common.i18n import _

JS = """
export default function ({ parentElement, data }) {
  const button = parentElement.querySelector("button");
  button.textContent = data.copy;
  button.onclick = async () => {
    const done = await copy(location.href);
    button.textContent = done ? data.copied : data.failed;
    setTimeout(() => { button.textContent = data.copy; }, 2000);
  };
}

// A browser hands out its clipboard on https and on this machine only; a classroom's http needs the old way.
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
"""

CSS = """
button {
  font: inherit; font-size: 0.875rem; color: var(--st-text-color); background: none; border: 0; padding: 0;
  display: block; line-height: 1.4; cursor: pointer;
  text-decoration: underline dotted; text-underline-offset: 0.2em; white-space: nowrap;
}
button:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: 3px; border-radius: 2px; }
"""

_component = st.components.v2.component("copy_link", html='<button type="button"></button>', js=JS, css=CSS)


def copy_link(key: str = "copy link") -> None:
    """Draw the button."""
    words = {"copy": _("copy link"), "copied": _("copied"), "failed": _("copy it from the address bar")}
    _component(key=key, data=words, width="content")

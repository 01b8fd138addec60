// @ts-check
// A button that copies the page's address and says for a moment whether it could.

const SAID = 2000; // ms

export default function ({ parentElement, data, setTriggerValue }) {
  const button = parentElement.querySelector("button");
  button.textContent = data.copy;
  button.onclick = async () => {
    const { href, pathname, search } = location;
    const done = await copy(data.origin ? new URL(pathname + search, data.origin).href : href);
    button.textContent = done ? data.copied : data.failed;
    setTimeout(() => (button.textContent = data.copy), SAID);
    setTriggerValue("opened", href);
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

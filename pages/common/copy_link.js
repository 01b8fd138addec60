// @ts-check
// A button that copies the page's address and says for a moment whether it could.

const [SAID, READ] = [2000, 8000]; // ms; READ: of a whole sentence
const LOOPBACK = /^(localhost|127\.[\d.]+|\[::1\])$/;

export default function ({ parentElement, data }) {
  const button = parentElement.querySelector("button");
  button.textContent = data.copy;
  button.onclick = async () => {
    const done = await copy(location.href);
    const here = LOOPBACK.test(location.hostname);
    button.textContent = done ? (here ? data.here : data.copied) : data.failed;
    setTimeout(() => (button.textContent = data.copy), here ? READ : SAID);
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

// @ts-check
// Script and style of a picture, fetched from ADDRESS: a browser keeps them, so each sentence sends only data.
// A failed connection, to a restarting server say, is retried for half a minute.

const ADDRESS = "";
const TRIES = 6;

/** @param {number} tried @returns {Promise<{default: Function, style: string}>} */
async function fetched(tried) {
  const address = new URL(ADDRESS, document.baseURI);
  // A browser remembers an address from which a module failed to load.
  if (tried) address.searchParams.set("again", String(tried));
  try {
    return await import(address.href);
  } catch (error) {
    if (tried === TRIES) throw error;
    await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** tried));
    return fetched(tried + 1);
  }
}

const { default: draw, style } = await fetched(0);

/** @param {{parentElement: HTMLElement | ShadowRoot}} call */
export default function (call) {
  const { parentElement: parent } = call;
  if (!parent.querySelector("style[data-fetched]")) {
    const node = document.createElement("style");
    node.dataset.fetched = "";
    node.textContent = style;
    parent.prepend(node);
  }
  return draw(call);
}

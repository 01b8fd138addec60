// @ts-check
// The script of a picture, fetched from ADDRESS: a browser keeps it, so that only its data come with each sentence.
// A connection that fails, of a server that starts anew say, is tried again for half a minute.

const ADDRESS = "";
const TRIES = 6;

/** @param {number} tried @returns {Promise<{default: Function}>} */
async function fetched(tried) {
  const address = new URL(ADDRESS, document.baseURI);
  // A browser remembers an address whose module failed.
  if (tried) address.searchParams.set("again", String(tried));
  try {
    return await import(address.href);
  } catch (error) {
    if (tried === TRIES) throw error;
    await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** tried));
    return fetched(tried + 1);
  }
}

export default (await fetched(0)).default;

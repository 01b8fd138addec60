// @ts-check
// A node's width in whole px, and drawing again when it changes or when the page's font has come.

import { forgetWidths } from "./layout.js";
import { zoomOf } from "./projection.js";

// resized: draws for a new width. lettered: for the same width in another font, whose words are not as long.
export function watchWidth(node, resized, lettered = resized) {
  let width = 0;
  const observer = new ResizeObserver(([entry]) => {
    const now = Math.floor(entry.contentRect.width);
    if (now === width || now <= 0) return;
    width = now;
    resized();
  });
  observer.observe(node);
  if (document.fonts?.status === "loading")
    document.fonts.ready.then(() => {
      forgetWidths();
      if (width) lettered();
    });

  return {
    now: () => width,
    // The width at this moment; the last one while the node is not to be seen.
    measure() {
      width = Math.floor(node.getBoundingClientRect().width / zoomOf(node)) || width;
      return width;
    },
    close() {
      observer.disconnect();
      width = 0;
    },
  };
}

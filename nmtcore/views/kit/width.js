// @ts-check
// A node's width in whole px, and redrawing when it changes or when the page's font has loaded.

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
    // The present width; the last one while the node is hidden.
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

// @ts-check
// A picture in its own element: drawn from data, and redrawn when its width, font or colours change.

import { el } from "./dom.js";
import { mounted } from "./mount.js";
import { watchWidth } from "./width.js";

/**
 * read: takes data, which draw() draws in the available width; follow: see mount.js; forget: redraws everything, even if
 * nothing has changed; handBack: the state, after new data.
 * @typedef {{read(data: any): void, draw(): void, follow?(): void, forget?(): void, handBack?(): void, close?(): void}} Own
 * @typedef {{root: HTMLElement, width: ReturnType<typeof watchWidth>, host: import("./mount.js").Host, first: any}} Place
 * @param {string} kind the classes of its element
 * @param {(place: Place) => Own} make
 */
export const picture = (kind, make) =>
  mounted((parent, first, host) => {
    const root = el("div", { class: `view ${kind}` });
    parent.append(root);
    const lettered = () => {
      own.forget?.();
      own.draw();
    };
    const width = watchWidth(root, () => own.draw(), lettered);
    const own = make({ root, width, host, first });
    return {
      update(data) {
        own.read(data);
        if (width.measure()) own.draw();
        own.handBack?.();
      },
      follow: own.follow,
      forget: own.forget,
      close() {
        own.close?.();
        width.close();
        root.remove();
      },
    };
  });

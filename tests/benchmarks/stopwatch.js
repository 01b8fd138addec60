// Times what a person waits for, inside the page: from the event that their hand makes to the painted figure.
(() => {
  const HOSTS = '[data-testid="stBidiComponentIsolated"]';
  const roots = () => [document, ...[...document.querySelectorAll(HOSTS)].map((h) => h.shadowRoot).filter(Boolean)];
  const find = (figure) => roots().reduce((found, root) => found ?? root.querySelector(figure), null);
  const title = () => document.querySelector('[data-testid="stMain"] h1')?.textContent ?? "";

  // Runs `then` with the time at which the coming frame has been painted.
  function painted(then) {
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => then(performance.now());
      channel.port2.postMessage(0);
    });
  }

  // Resolves to milliseconds; `watch(began)` starts when the event comes, and calls `done(time)`.
  function timed(event, limit, watch) {
    window.measured = new Promise((resolve) => {
      const over = setTimeout(() => resolve(null), limit);
      addEventListener(event, (e) => watch((time) => {
        clearTimeout(over);
        resolve(time - e.timeStamp);
      }), { capture: true, once: true });
    });
  }

  // Until the figure has been redrawn and is at rest: its last change is what counts.
  window.untilRedrawn = ({ figure, event, quiet, limit }) => {
    const drawn = () => find(figure)?.innerHTML ?? "";
    const before = drawn();
    timed(event, limit, (done) => {
      let last = 0;
      let rest = 0;
      const mine = ({ target }) => {
        const root = target.getRootNode();
        const element = target.nodeType === Node.ELEMENT_NODE ? target : target.parentElement;
        return (element ?? root.host)?.closest(figure);
      };
      const observer = new MutationObserver((changes) => {
        if (!changes.some(mine)) return;
        painted((time) => {
          last = time;
          clearTimeout(rest);
          rest = setTimeout(() => {
            if (drawn() === before) return;
            observer.disconnect();
            done(last);
          }, quiet);
        });
      });
      const all = { subtree: true, childList: true, attributes: true, characterData: true };
      for (const root of roots()) observer.observe(root, all);
    });
  };

  // Until there is a figure with other words in it than before (of another page, where `page` is true).
  window.untilNew = ({ figure, event, page, limit }) => {
    const before = find(figure)?.textContent ?? "";
    const old = title();
    timed(event, limit, (done) => {
      const look = () => {
        const words = find(figure)?.textContent ?? "";
        if (words.trim() && words !== before && !(page && title() === old)) painted(done);
        else requestAnimationFrame(look);
      };
      look();
    });
  };
})();

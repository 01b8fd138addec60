// @ts-check
// The front end of a picture as a notebook widget (anywidget's `render`). Styles stay in a shadow root. Values that the
// picture sets go back to Python as `values`.

const dark = () =>
  document.body.dataset.jpThemeLight === "false" ||
  [document.documentElement, document.body].some(({ classList }) => classList.contains("dark"));

/** @param {(call: Record<string, any>) => () => void} draw the picture's script @param {string} css its style */
export default (draw, css) => ({
  /** @param {{model: any, el: HTMLElement}} place */
  render({ model, el }) {
    const host = document.createElement("div");
    const root = host.attachShadow({ mode: "open" });
    const style = document.createElement("style");
    const parentElement = document.createElement("main");
    style.textContent = css;
    host.style.colorScheme = dark() ? "dark" : "light";
    root.append(style, parentElement);
    el.replaceChildren(host);
    const onSet = (/** @type {Record<string, any>} */ values) => {
      model.set("values", { ...model.get("values"), ...values });
      model.save_changes();
    };
    const show = () => draw({ parentElement, data: model.get("data"), onSet });
    let close = show();
    const again = () => {
      close = show();
    };
    model.on("change:data", again);
    return () => {
      model.off("change:data", again);
      close();
    };
  },
});

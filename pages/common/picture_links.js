// @ts-check
// The links that begin the tour, project the page's picture and pin it: other modules do the work, and hear of it.

export default function ({ parentElement, data }) {
  const line = parentElement.querySelector("span");
  line.replaceChildren(
    ...data.links.map(({ name, says, hint }) => {
      const button = document.createElement("button");
      button.type = "button";
      button.name = name;
      button.textContent = says;
      button.title = hint;
      button.onclick = () => document.dispatchEvent(new CustomEvent(name));
      return button;
    }),
  );
}

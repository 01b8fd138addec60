// @ts-check
// The link that begins the guided tour: the tour itself is mounted elsewhere on the page and hears of it.

export default function ({ parentElement, data }) {
  const button = parentElement.querySelector("button");
  button.textContent = data.begin;
  button.onclick = () => document.dispatchEvent(new CustomEvent("guided-tour"));
}

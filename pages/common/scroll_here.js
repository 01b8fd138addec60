// @ts-check
// Scrolls to where it stands, once for each time that somebody asks; again when what is below has been drawn.

const DRAWN = 600; // ms

let answered = 0;

export default function ({ parentElement, data }) {
  if (!data.asked || data.asked === answered) return undefined;
  answered = data.asked;
  const place = parentElement.host ?? parentElement;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const scroll = () => place.scrollIntoView({ block: "start", behavior: still ? "instant" : "smooth" });
  scroll();
  const again = setTimeout(scroll, DRAWN);
  return () => clearTimeout(again);
}

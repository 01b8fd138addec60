// @ts-check
// The threshold of a ribbon view: weak links are hidden, by cumulative mass (top-p) or by absolute weight.

const LEAST_DRAWN = 0.004; // a smaller weight would be invisible

// The links of one row as {r, c, weight}, strongest first. rule "top": until `percent` of the row's weight is shown
// (exBERT's rule; at least one link); rule "least": every weight of at least `percent` hundredths.
export function linksOf(weights, r, { rule, percent }) {
  const row = weights[r];
  const sorted = [];
  let total = 0;
  for (let c = 0; c < row.length; c += 1) {
    if (!(row[c] >= LEAST_DRAWN)) continue; // NaN, for a masked cell, is not a link
    sorted.push({ r, c, weight: row[c] });
    total += row[c];
  }
  sorted.sort((a, b) => b.weight - a.weight);
  if (rule === "least") return sorted.filter((link) => link.weight >= percent / 100);
  const kept = [];
  let sum = 0;
  for (const link of sorted) {
    if (kept.length && sum >= (total * percent) / 100 - 1e-9) break;
    kept.push(link);
    sum += link.weight;
  }
  return kept;
}

// @ts-check
// The legend of the marks on words, if there are any.

/**
 * @param {any[]} views
 * @param {Record<string, string>} words
 * @returns {string[]}
 */
export function meanings(views, words) {
  const doubtful = views.some((v) => v.panel.doubtful?.length) && words.note_doubt;
  const framed = views.some((v) => v.panel.windows?.length && v.panel.as !== "ribbons") && words.note_window;
  const marked = views.find((v) => v.panel.underlined?.length);
  const underlined = marked && words[marked.panel.meaning];
  const strip = views.some((v) => v.panel.generation?.length) && words.note_generation;
  return [doubtful, underlined, strip, framed].filter(Boolean);
}

const BEGIN = '<!-- prose:begin -->';
const END = '<!-- prose:end -->';

/** The hand-written part of a document, with its marks; empty marks where there is none yet. */
export function proseOf(document: string): string {
  const from = document.indexOf(BEGIN);
  const to = document.indexOf(END, from);
  return from === -1 || to === -1 ? `${BEGIN}\n\n${END}` : document.slice(from, to + END.length);
}

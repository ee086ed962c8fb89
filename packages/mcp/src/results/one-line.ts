/** A text without line breaks, cut after so many characters. */
export function oneLine(text: string, longest: number): string {
  const flat = text.replaceAll(/\s+/g, ' ').trim();
  return flat.length > longest ? `${flat.slice(0, longest)}…` : flat;
}

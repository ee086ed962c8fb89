/** Behind the quote that closes the string opened at `open`, if any; else the text's length. */
export function endOfJsonString(text: string, open: number): number {
  for (
    let quote = text.indexOf('"', open + 1);
    quote !== -1;
    quote = text.indexOf('"', quote + 1)
  ) {
    let backslashes = 0;
    while (text[quote - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return text.length;
}

const WHITE_SPACE = /[\t\n\r ]+/g;

/**
 * A valid JSON text without the white space between its tokens. Strings and numbers stay as they
 * are written.
 */
export function minifyJson(text: string): string {
  let minified = '';
  let from = 0;
  while (from < text.length) {
    const open = text.indexOf('"', from);
    if (open === -1) break;
    const close = endOfString(text, open);
    minified += text.slice(from, open).replace(WHITE_SPACE, '') + text.slice(open, close);
    from = close;
  }
  return minified + text.slice(from).replace(WHITE_SPACE, '');
}

/**
 * The place after the quote that closes the string which opens here: the next quote that no odd
 * number of backslashes escapes.
 */
function endOfString(text: string, open: number): number {
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

/** Writes texts as one, with a backslash before every separator and backslash inside them. */
export function joinEscaped(parts: readonly string[], separator: string): string {
  return parts.map((part) => escapeWith(part, separator)).join(separator);
}

/** Puts a backslash before every backslash and every `special` character. */
export function escapeWith(text: string, special: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll(special, `\\${special}`);
}

/** The parts between separators, at most `limit` of them, with their backslashes still in place. */
export function splitEscaped(text: string, separator: string, limit = Infinity): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let index = 0; index < text.length && parts.length + 1 < limit; index += 1) {
    if (text[index] === '\\') index += 1;
    else if (text[index] === separator) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...parts, text.slice(start)];
}

/** Removes the backslashes that {@link escapeWith} added. */
export function unescape(text: string): string {
  return text.replaceAll(/\\(.)/gsu, '$1');
}

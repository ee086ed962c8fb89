/** Controls of C0 and C1, line and paragraph separators, and marks of text direction. */
const UNSEEN =
  // oxlint-disable-next-line eslint/no-control-regex -- they are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g;

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Escapes all that a terminal would obey, or that would deceive its reader, line ends included. */
export function printable(text: string): string {
  return text.replace(UNSEEN, (mark) => NAMED[mark] ?? `\\u{${codeOf(mark)}}`);
}

/** Keeps line ends and tabs. Escapes as JSON does, so that JSON keeps its meaning. */
export function printableLines(text: string): string {
  return text
    .split(/(\r?\n|\t)/)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part.replace(UNSEEN, (mark) => `\\u${codeOf(mark).padStart(4, '0')}`),
    )
    .join('');
}

function codeOf(mark: string): string {
  return (mark.codePointAt(0) ?? 0).toString(16);
}

/** Controls of C0 and C1, line and paragraph separators, and the marks that turn the direction of text around. */
// oxlint-disable-next-line eslint/no-control-regex -- they are what is looked for
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g;

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** The text on one line, with everything that a terminal would obey, or that would deceive its reader, written out. */
export function printable(text: string): string {
  return text.replace(UNSEEN, (mark) => NAMED[mark] ?? `\\u{${(mark.codePointAt(0) ?? 0).toString(16)}}`);
}

/** A backslash with what belongs to it: a code point, of which some take two escapes, or a sign. */
const ESCAPES = /\\u[Dd][89ABab][\dA-Fa-f]{2}\\u[Dd][C-Fc-f][\dA-Fa-f]{2}|\\u[\dA-Fa-f]{4}|\\./g;

/** Characters that nobody sees, that change what is beside them, or that JSON has to escape. */
const KEPT = /["\\\p{C}\p{Z}]/u;

/** A JSON text with letters in place of their escapes, to be read: `Zürich`, not `Z\u00fcrich`. */
export function readableJson(json: string): string {
  return json.replaceAll(ESCAPES, (escape) => {
    if (!escape.startsWith(String.raw`\u`)) return escape;
    const letter = String(JSON.parse(`"${escape}"`));
    return KEPT.test(letter) ? escape : letter;
  });
}

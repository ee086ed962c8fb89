import { type Answer, problem } from './answer.ts';

/** The JSON value of a body, or why it is refused. */
export function readBody(
  bytes: Buffer,
): { readonly value: unknown } | { readonly refusal: Answer } {
  const text = decode(bytes);
  if (text === undefined) return { refusal: problem('invalid_encoding') };
  try {
    const value: unknown = JSON.parse(text);
    return namesTwice(text) ? { refusal: problem('duplicate_key') } : { value };
  } catch {
    return { refusal: problem('malformed_json') };
  }
}

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Walks the tokens of a text that is JSON. */
function namesTwice(text: string): boolean {
  const open: Set<string>[] = [];
  let last = '';
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:]/g)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') {
      const name = String(JSON.parse(last));
      if (open.at(-1)?.has(name)) return true;
      open.at(-1)?.add(name);
    }
    last = token;
  }
  return false;
}

import { AmbiguousJsonError, readStrictJson } from '@proj/contract';

import type { Ask } from './ask.ts';
import { HttpProblem } from './problems.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** More, and longer ones, are read each time. */
const MOST_KEPT = 4000;
const LONGEST_KEPT = 1024;

type JsonBody = Pick<Ask, 'body' | 'notes'>;

/** Keeps what it read of a body that has come twice; nobody may change it. */
export function bodyReader(): (bytes: Buffer) => JsonBody {
  const known = new Map<string, JsonBody | undefined>();
  return (bytes) => {
    const key = bytes.toString('latin1');
    const kept = known.get(key);
    if (kept !== undefined) return kept;
    const read = { body: readJsonBytes(bytes), notes: {} };
    if (known.size >= MOST_KEPT) known.clear();
    if (key.length <= LONGEST_KEPT) known.set(key, known.has(key) ? read : undefined);
    return read;
  };
}

/** @throws {HttpProblem} for texts that JSON parsers read differently */
export function readJsonBytes(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  try {
    return readStrictJson(text);
  } catch (cause) {
    if (cause instanceof AmbiguousJsonError)
      throw new HttpProblem(cause.code, cause.message, { cause });
    const detail =
      text.trim() === ''
        ? 'The body is empty; send a JSON object.'
        : `The body is not a JSON text${placeOf(cause, text)}.`;
    throw new HttpProblem('malformed_json', detail, { cause });
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new HttpProblem('invalid_encoding', 'The body is not valid UTF-8.', { cause });
  }
}

/** The position of a syntax error, where V8's message has one. */
function placeOf(error: unknown, text: string): string {
  const message = error instanceof SyntaxError ? error.message : '';
  if (message.includes('end of JSON input')) return ': it ends too early';
  const [, position] = / at position (\d+)/.exec(message) ?? [];
  if (position === undefined) return '';
  const before = text.slice(0, Number(position)).split('\n');
  return `: the error is at line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}

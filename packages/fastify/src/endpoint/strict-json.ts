import type { Ask } from './ask.ts';
import { HttpProblem } from './problems.ts';

/** A request of the deepest legal filter stays well below. */
const MAX_DEPTH = 32;

const OPEN_BRACE = '{'.charCodeAt(0);
const OPEN_BRACKET = '['.charCodeAt(0);

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
    const read = { body: readStrictJson(bytes), notes: {} };
    if (known.size >= MOST_KEPT) known.clear();
    if (key.length <= LONGEST_KEPT) known.set(key, known.has(key) ? read : undefined);
    return read;
  };
}

/** @throws {HttpProblem} for texts that JSON parsers read differently */
export function readStrictJson(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  const value = parse(text);
  // What JSON.stringify writes names no member twice and no number that reading would round.
  if (!hasFewBrackets(text) || JSON.stringify(value) !== text) inspect(text);
  return value;
}

/** Few brackets cannot be nested too deep. */
function hasFewBrackets(text: string): boolean {
  let open = 0;
  for (let index = 0; index < text.length && open <= MAX_DEPTH; index++) {
    const code = text.charCodeAt(index);
    if (code === OPEN_BRACE || code === OPEN_BRACKET) open += 1;
  }
  return open <= MAX_DEPTH;
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new HttpProblem('invalid_encoding', 'The body is not valid UTF-8.', { cause });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const detail =
      text.trim() === ''
        ? 'The body is empty; send a JSON object.'
        : `The body is not a JSON text${placeOf(cause, text)}.`;
    throw new HttpProblem('malformed_json', detail, { cause });
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

/** Of valid JSON, without `true`, `false`, `null` and white space. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|[{}[\]:]/g;

/** Walks the tokens without recursion, because the sender chooses the nesting. */
function inspect(text: string): void {
  const open: Set<string>[] = [];
  let last = '';
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') nameOnce(last, open.at(-1));
    else if (token[0] !== '"') keepFraction(token);
    if (open.length > MAX_DEPTH)
      throw new HttpProblem('too_deep', `The body is nested more than ${MAX_DEPTH} levels deep.`);
    last = token;
  }
}

function nameOnce(token: string, names: Set<string> | undefined): void {
  const name = String(JSON.parse(token));
  if (names?.has(name) === true)
    throw new HttpProblem(
      'duplicate_key',
      `A member is named ${JSON.stringify(name.slice(0, 64))} twice.`,
    );
  names?.add(name);
}

/** `0.99999999999999999999` and `99999999999999999999e-20` would be read as 1. */
function keepFraction(token: string): void {
  if (Number.isInteger(Number(token)) && !isWhole(token)) {
    throw new HttpProblem(
      'malformed_json',
      `The number ${token.slice(0, 40)} has more digits than can be read without rounding.`,
    );
  }
}

/** A written JSON number is whole if its last digit other than 0 is before the point. */
function isWhole(token: string): boolean {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^-?(\d+)(?:\.(\d+))?(?:[eE](.+))?$/.exec(token) ?? [];
  const digits = (whole + fraction).replace(/(?<!0)0+$/, '');
  const digitsAfterPoint = digits.length - whole.length - Number(exponent);
  return digits === '' || digitsAfterPoint <= 0;
}

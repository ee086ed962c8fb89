/** A request of the deepest legal filter stays well below. */
const MAX_DEPTH = 32;

const OPEN_BRACE = '{'.charCodeAt(0);
const OPEN_BRACKET = '['.charCodeAt(0);

/** A JSON text that parsers read differently. */
export class AmbiguousJsonError extends Error {
  override readonly name = 'AmbiguousJsonError';
  readonly code: 'duplicate_key' | 'malformed_json' | 'too_deep';

  constructor(code: AmbiguousJsonError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Reads what all parsers of JSON read alike.
 *
 * @throws {SyntaxError} for other texts than JSON
 * @throws {AmbiguousJsonError} when it names a member twice, has a fraction that would be rounded
 * to a whole number, or is nested too deep
 */
export function readStrictJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
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
      throw new AmbiguousJsonError('too_deep', `It is nested more than ${MAX_DEPTH} levels deep.`);
    last = token;
  }
}

function nameOnce(token: string, names: Set<string> | undefined): void {
  const name = String(JSON.parse(token));
  if (names?.has(name) === true)
    throw new AmbiguousJsonError(
      'duplicate_key',
      `A member is named ${JSON.stringify(name.slice(0, 64))} twice.`,
    );
  names?.add(name);
}

/** `0.99999999999999999999` and `99999999999999999999e-20` would be read as 1. */
function keepFraction(token: string): void {
  if (Number.isInteger(Number(token)) && !isWhole(token))
    throw new AmbiguousJsonError(
      'malformed_json',
      `The number ${token.slice(0, 40)} has more digits than can be read without rounding.`,
    );
}

/** A written JSON number is whole if its last digit other than 0 is before the point. */
function isWhole(token: string): boolean {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^-?(\d+)(?:\.(\d+))?(?:[eE](.+))?$/.exec(token) ?? [];
  const digits = (whole + fraction).replace(/(?<!0)0+$/, '');
  const digitsAfterPoint = digits.length - whole.length - Number(exponent);
  return digits === '' || digitsAfterPoint <= 0;
}

import { quotedAt } from '../text/quoted.ts';
import { ExpressionError } from './expression-error.ts';

/** A word is an operator, `and`, `or` or a name, depending on its place. */
export interface Token {
  readonly kind: 'word' | 'name' | 'text' | 'number' | 'sign' | 'end';
  /** Without quotes, doubled quotes once. */
  readonly text: string;
  readonly at: number;
}

const SPACE = /\s+/y;
/** A word, or a path of them. */
const WORD = /[\p{L}_][\p{L}\p{M}\p{N}_$]*(?:\.[\p{L}_][\p{L}\p{M}\p{N}_$]*)*/uy;
/** A JSON number that starts no date or word. */
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\p{L}\p{N}_.:-])/uy;
const SIGN = /!=|<>|<=|>=|==|[=<>(),]/y;

/** @throws {ExpressionError} at what is not a token. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const [length, token] = tokenAt(text, at);
    if (token !== undefined) tokens.push(token);
    at += length;
  }
  return [...tokens, { kind: 'end', text: '', at: text.length }];
}

function tokenAt(text: string, at: number): [length: number, token?: Token] {
  const space = match(SPACE, text, at);
  if (space) return [space[0].length];
  const quoted = quotedAt(text, at);
  if (quoted) {
    const kind = quoted.quote === '`' ? 'name' : 'text';
    return [quoted.end - at, { kind, text: quoted.text, at }];
  }
  for (const [kind, pattern] of PLAIN) {
    const found = match(pattern, text, at);
    if (found) return [found[0].length, { kind, text: found[0], at }];
  }
  throw new ExpressionError(at, explainUnknown(text, at));
}

const PLAIN = [
  ['word', WORD],
  ['number', NUMBER],
  ['sign', SIGN],
] as const;

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function explainUnknown(text: string, at: number): string {
  const first = text[at] ?? '';
  if (/['"`]/.test(first))
    return `the quote ${first} is never closed. A quote inside a text is written twice.`;
  if (/[\d-]/.test(first))
    return `not a number. Dates, times and other texts go in quotes: '2026-01-31'`;
  return (
    `${JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0))} is not part of the ` +
    'filter language.'
  );
}

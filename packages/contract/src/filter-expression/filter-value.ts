import type { WireType } from '../wire-types.ts';

import { filterNumber } from '../text/json-number.ts';
import { ExpressionError } from './expression-error.ts';
import type { Literal } from './expression.ts';

interface ValueForm {
  readonly expected: string;
  /** Undefined when the literal is no value of the type. */
  readonly read: (literal: Literal) => unknown;
}

const IN_QUOTES: ValueForm = {
  expected: 'a text in quotes',
  read: (literal) => (literal.kind === 'text' ? literal.text : undefined),
};

const inQuotesLike = (example: string): ValueForm => ({
  ...IN_QUOTES,
  expected: `a text in quotes, such as '${example}'`,
});

/** THE table of literals by wire type. Digits beyond JSON numbers travel as strings. */
const VALUE_FORMS: Readonly<Partial<Record<string, ValueForm>>> = {
  text: IN_QUOTES,
  enum: IN_QUOTES,
  uuid: inQuotesLike('7c1d9a52-6f0e-4d6a-9a62-5f2f4c0e8b11'),
  int32: {
    expected: 'a whole number',
    read: (literal) => (wholeDigits(literal) ? Number(literal.text) : undefined),
  },
  int64: {
    expected: 'a whole number',
    read: (literal) => (wholeDigits(literal) ? literal.text : undefined),
  },
  decimal: {
    expected: "a number, such as 12.50, or 'NaN', 'Infinity' or '-Infinity'",
    read: readDecimal,
  },
  float64: { expected: "a number, or 'NaN', 'Infinity' or '-Infinity'", read: readFloat },
  boolean: {
    expected: 'true or false',
    read: (literal) => (literal.kind === 'truth' ? literal.truth : undefined),
  },
  date: inQuotesLike('2026-01-31'),
  time: inQuotesLike('23:59:59'),
  timestamp: inQuotesLike('2026-01-31T23:59:59'),
  timestamp_tz: inQuotesLike('2026-01-31T22:59:59Z'),
  interval: inQuotesLike('1 day 02:00:00'),
  inet: inQuotesLike('10.0.0.0/8'),
  bytes: inQuotesLike('3q2+7w=='),
  range: { expected: "a number, or a text in quotes, such as '[1,5)'", read: readRange },
  any: { expected: 'a number, or a text in quotes', read: readAny },
  json: { expected: 'a text in quotes, a number, true or false', read: readJson },
} satisfies Partial<Record<WireType, ValueForm>>;

/** Unknown types, of newer services, are sent as written. */
const AS_WRITTEN: ValueForm = { expected: 'a value', read: readAsWritten };

/** @throws {ExpressionError} when it is no value of the type. */
export function filterValue(literal: Literal, type: string): unknown {
  if (literal.kind === 'null') return null;
  const { expected, read } = VALUE_FORMS[type] ?? AS_WRITTEN;
  const value = read(literal);
  if (value === undefined)
    throw new ExpressionError(
      literal.at,
      `the attribute is of type ${type}: expected ${expected}.`,
    );
  return value;
}

type NumberLiteral = Extract<Literal, { kind: 'number' }>;

function wholeDigits(literal: Literal): literal is NumberLiteral {
  return literal.kind === 'number' && /^-?\d+$/.test(literal.text);
}

/** Numbers with leading zeros need quotes. */
function readDecimal(literal: Literal): unknown {
  if (literal.kind !== 'number' && literal.kind !== 'text') return undefined;
  const isDigits = /^-?\d+(?:\.\d+)?$/.test(literal.text);
  return isDigits || (literal.kind === 'text' && isSpecial(literal.text))
    ? literal.text
    : undefined;
}

function isSpecial(text: string): boolean {
  return /^(?:NaN|-?Infinity)$/.test(text);
}

function readFloat(literal: Literal): unknown {
  if (literal.kind === 'number') return Number(literal.text);
  return literal.kind === 'text' && isSpecial(literal.text) ? literal.text : undefined;
}

/** Digits that a JSON number would lose become a text. */
function readAny(literal: Literal): unknown {
  if (literal.kind === 'truth') return undefined;
  if (literal.kind !== 'number') return readAsWritten(literal);
  const number = Number(literal.text);
  if (Math.abs(number) <= Number.MAX_SAFE_INTEGER) return number;
  return { number: wholeDigits(literal) ? literal.text : String(BigInt(number)) };
}

/** The bounds may have digits that a JSON number would lose. */
function readRange(literal: Literal): unknown {
  return literal.kind === 'number' || literal.kind === 'text' ? literal.text : undefined;
}

function readJson(literal: Literal): unknown {
  return literal.kind === 'number' ? filterNumber(literal.text) : readAsWritten(literal);
}

function readAsWritten(literal: Literal): unknown {
  if (literal.kind === 'number') return Number(literal.text);
  if (literal.kind === 'null') return null;
  if (literal.kind === 'form') return { [literal.form]: literal.text };
  return literal.kind === 'text' ? literal.text : literal.truth;
}

import { type ProblemCode, PROBLEMS } from '@proj/contract';

import { errorsOf, type JsonObject, membersOf } from './subject/json.ts';
import type { Reply } from './subject/send.ts';

/** A rule does not hold; the message says what was expected and what came. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

/** A rule could not be tried; the message says what was missing. */
export class NotTried extends Error {
  override readonly name = 'NotTried';
}

/** @throws {Violation} with the message, unless the condition holds. */
export function demand(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Violation(message);
}

/** @throws {Violation} when the values differ as JSON, in which a bigint is its digits. */
export function demandEqual(got: unknown, expected: unknown, what: string): void {
  const [came, wanted] = [jsonText(got), jsonText(expected)];
  if (came === wanted) return;
  const start = firstDifference(came, wanted);
  throw new Violation(`${what}: expected ${around(wanted, start)}; got ${around(came, start)}`);
}

/**
 * Demands a refusal. Another rule checks the rest of the document.
 *
 * @param of what was sent, for the message
 */
export function demandProblem({ status, json }: Reply, of: string, code: ProblemCode): void {
  demandEqual(status, PROBLEMS[code].status, `${of}: the status`);
  const codes = [json, ...errorsOf(json)].map((part) => membersOf(part)['code']);
  demand(codes.includes(code), `${of}: expected the code ${code}; got ${JSON.stringify(codes)}`);
}

/** An error of a request, and its place. */
export interface ErrorPlace {
  readonly code: ProblemCode;
  readonly pointer: string;
}

/** Demands a refusal with an error at a place. */
export function demandError(reply: Reply, of: string, { code, pointer }: ErrorPlace): void {
  demandProblem(reply, of, code);
  const errors = errorsOf(reply.json);
  const pointed = errors.some((error) => error['code'] === code && error['pointer'] === pointer);
  const found = JSON.stringify(errors);
  demand(pointed, `${of}: expected an error ${code} at ${pointer}; got ${found}`);
}

/**
 * A count of a reply.
 *
 * @throws {Violation} unless it is a string of digits.
 */
export function countOf(part: JsonObject, name = 'count'): bigint {
  const digits = part[name];
  demand(
    typeof digits === 'string' && /^\d+$/.test(digits),
    `${name}: expected a string of digits; got ${JSON.stringify(digits)}`,
  );
  return BigInt(digits);
}

/** The value, or the rule is not tried. */
export function given<Value>(value: Value | undefined, missing: string): Value {
  if (value === undefined) throw new NotTried(missing);
  return value;
}

const LONGEST = 160;
/** So much of what two long texts have in common is shown before the difference. */
const COMMON = 40;

function jsonText(value: unknown): string {
  return JSON.stringify(value, withDigits) ?? 'nothing';
}

function withDigits(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

function firstDifference(one: string, other: string): number {
  let place = 0;
  while (place < one.length && one[place] === other[place]) place++;
  return place;
}

/** A long text is cut, to a part that shows what is at the place. */
function around(text: string, place: number): string {
  const from = place < LONGEST ? 0 : place - COMMON;
  const part = text.slice(from, from + LONGEST);
  return `${from > 0 ? '…' : ''}${part}${from + LONGEST < text.length ? '…' : ''}`;
}

import type { Subject } from './subject.ts';

/** The sections of docs/contract.md in which rules are written, by their anchors. */
export const SECTIONS = [
  'the-query',
  'the-reply',
  'filters-and-sorting',
  'values',
  'the-catalogue',
  'problems',
  'access',
  'headers',
  'health',
] as const;

export type Section = (typeof SECTIONS)[number];

/** Where a section can be read. */
export function contractUrl(section: Section): string {
  return `https://github.com/dynamic-query/dynamic-query/blob/main/docs/contract.md#${section}`;
}

/** One rule of the contract, and how a server is held against it. */
export interface Rule {
  /** Stays the same for ever, so that results can be compared. */
  readonly id: string;
  /** What holds, in one sentence. */
  readonly sentence: string;
  readonly section: Section;
  /**
   * Returns when the rule holds.
   *
   * @throws {Violation} when it does not.
   * @throws {NotTried} when this server or its data do not let it be tried.
   */
  readonly check: (subject: Subject) => Promise<void>;
}

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

/** @throws {Violation} when the values differ as JSON. */
export function demandEqual(got: unknown, expected: unknown, what: string): void {
  demand(
    jsonText(got) === jsonText(expected),
    `${what}: expected ${jsonText(expected)}; got ${jsonText(got)}`,
  );
}

/** The value, or the rule is not tried. */
export function given<Value>(value: Value | undefined, missing: string): Value {
  if (value === undefined) throw new NotTried(missing);
  return value;
}

const LONGEST = 160;

function jsonText(value: unknown): string {
  const text = typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? 'nothing');
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

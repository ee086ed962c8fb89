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
  const [came, wanted] = [jsonText(got), jsonText(expected)];
  if (came === wanted) return;
  const start = firstDifference(came, wanted);
  throw new Violation(`${what}: expected ${around(wanted, start)}; got ${around(came, start)}`);
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
  return typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? 'nothing');
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

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

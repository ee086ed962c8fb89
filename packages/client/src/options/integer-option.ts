import { describeValue } from '../errors/describe-value.ts';

/** @throws {RangeError} that names the option, when it is out of its limits. */
export function integerOption(
  name: string,
  value: number,
  [minimum, maximum]: readonly [number, number],
): number {
  if (Number.isInteger(value) && value >= minimum && value <= maximum) return value;
  throw new RangeError(
    `${name}: expected a whole number from ${minimum} to ${maximum}; got ${describeValue(value)}`,
  );
}

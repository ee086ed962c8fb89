import { describeValue } from '../errors/describe-value.ts';

/** A whole number within its limits, or a RangeError that names it. */
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

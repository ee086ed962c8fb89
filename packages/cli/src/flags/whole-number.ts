import { InvalidArgumentError } from 'commander';

export function wholeNumber(
  minimum: number,
  maximum = Number.MAX_SAFE_INTEGER,
): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= minimum && value <= maximum) return value;
    throw new InvalidArgumentError(`Expected a whole number from ${minimum} to ${maximum}.`);
  };
}

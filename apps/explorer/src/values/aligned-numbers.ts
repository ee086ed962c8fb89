import { groupDigits } from '@proj/contract';

/** Of a fraction no more is shown: averages have as many digits as the database computes. */
const MOST_DECIMALS = 6;

/** As wide as a digit, and as a point. */
const [DIGIT, POINT] = ['\u2007', '\u2008'];

/**
 * Decimal digits of one column so that their points are below each other where digits are equally
 * wide. What is no such number, as one with an exponent, stays as it is.
 */
export function alignedNumbers(numbers: readonly string[]): readonly string[] {
  const parts = numbers.map(partsOf);
  const longest = Math.max(0, ...parts.map((part) => part?.fraction.length ?? 0));
  return numbers.map((number, index) => {
    const part = parts[index];
    if (!part) return number;
    const { whole, fraction } = part;
    const space = DIGIT.repeat(longest - fraction.length);
    if (fraction === '') return longest === 0 ? whole : `${whole}${POINT}${space}`;
    return `${whole}.${fraction}${space}`;
  });
}

function partsOf(number: string): { readonly whole: string; readonly fraction: string } | null {
  const [, sign = '', digits = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(number) ?? [];
  if (digits === '') return null;
  const isCut = fraction.length > MOST_DECIMALS;
  return {
    whole: sign + groupDigits(BigInt(digits)),
    fraction: isCut ? `${fraction.slice(0, MOST_DECIMALS)}…` : fraction,
  };
}

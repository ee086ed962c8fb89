/** Comes before the digits of every exponent that a sum or an average of numbers can have. */
const LARGEST_EXPONENT = 10_000;

/**
 * A text that sorts, byte by byte, as the decimal does whose digits are given: SQLite has no type
 * for decimals of many digits.
 */
export function decimalOrder(digits: string): string {
  if (digits === 'NaN') return '4';
  if (digits.endsWith('Infinity')) return digits.startsWith('-') ? '0' : '3';
  const [, sign = '', whole = '', fraction = ''] = /^(-?)0*(\d*)\.?(\d*)$/.exec(digits) ?? [];
  const significant = (whole + fraction).replace(/^0+/, '').replace(/0+$/, '');
  if (significant === '') return '2';
  const exponent = whole.length || -(/^0*/.exec(fraction)?.[0].length ?? 0);
  const size = String(exponent + LARGEST_EXPONENT).padStart(5, '0') + significant;
  if (sign === '') return `2${size}`;
  // A negative number sorts the other way: by what its digits lack to nine, the shorter one last.
  return `1${size.replace(/\d/g, (digit) => String(9 - Number(digit)))}:`;
}

/** Above every exponent of a sum or an average. */
const LARGEST_EXPONENT = 10_000;

/** A text that sorts bytewise as the decimal does: SQLite has no long decimals. */
export function decimalOrder(digits: string): string {
  if (digits === 'NaN') return '4';
  if (digits.endsWith('Infinity')) return digits.startsWith('-') ? '0' : '3';
  const [, sign = '', whole = '', fraction = ''] = /^(-?)0*(\d*)\.?(\d*)$/.exec(digits) ?? [];
  const significant = (whole + fraction).replace(/^0+/, '').replace(/0+$/, '');
  if (significant === '') return '2';
  const exponent = whole.length || -(/^0*/.exec(fraction)?.[0].length ?? 0);
  const size = String(exponent + LARGEST_EXPONENT).padStart(5, '0') + significant;
  if (sign === '') return `2${size}`;
  // Negative numbers sort in reverse: by the nines' complement, the shorter one last.
  return `1${size.replace(/\d/g, (digit) => String(9 - Number(digit)))}:`;
}

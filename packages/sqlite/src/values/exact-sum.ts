import { Decimals } from '@proj/engine/database';

import type { SqlValue } from './date-form.ts';

const UNIT_SCALE = 6;
const UNITS = 10 ** UNIT_SCALE;

/** A double keeps all of fifteen digits. */
const LARGEST_UNITS = 1e15;

/** Adds decimal digits, as they travel: 0.1 + 0.2 is 0.3. */
export class ExactSum {
  readonly #digitsOf: (value: number) => string;
  /** What is not yet in `#sum`, in units; a safe integer. */
  #units = 0;
  #sum: Decimals.Scaled = { units: 0n, scale: 0 };
  /** NaN and the infinities, which have no digits. */
  #endless = 0;
  #isEmpty = true;

  constructor(digitsOf = Decimals.decimalDigits) {
    this.#digitsOf = digitsOf;
  }

  add(value: SqlValue): this {
    if (typeof value === 'number') this.#addNumber(value);
    else if (typeof value === 'string') this.#addText(value);
    else if (typeof value === 'bigint') this.#addScaled({ units: value, scale: 0 });
    return this;
  }

  get text(): string | null {
    if (this.#isEmpty) return null;
    if (this.#endless !== 0) return String(this.#endless);
    this.#addUnits();
    return Decimals.printScaled(Decimals.trimScaled(this.#sum));
  }

  #addNumber(value: number): void {
    const units = Math.round(value * UNITS);
    if (units / UNITS !== value || Math.abs(units) >= LARGEST_UNITS)
      return this.#addText(this.#digitsOf(value));
    this.#isEmpty = false;
    this.#units += units;
    if (Math.abs(this.#units) >= LARGEST_UNITS) this.#addUnits();
  }

  #addText(text: string): void {
    const scaled =
      Decimals.readScaled(text) ?? Decimals.readScaled(Decimals.decimalDigits(Number(text)));
    if (scaled !== undefined) return this.#addScaled(scaled);
    this.#endless += Number(text);
    this.#isEmpty = false;
  }

  #addScaled(scaled: Decimals.Scaled): void {
    this.#sum = Decimals.addScaled([this.#sum, scaled]);
    this.#isEmpty = false;
  }

  #addUnits(): void {
    this.#sum = Decimals.addScaled([this.#sum, { units: BigInt(this.#units), scale: UNIT_SCALE }]);
    this.#units = 0;
  }
}

/** Two halves of a sum of whole numbers, and the text of another sum; NULL for none. */
type Parts = readonly [high: SqlValue, low: SqlValue, rest: SqlValue];

export function totalOfParts(...parts: Parts): string | null {
  const sum = addParts(parts);
  return typeof sum === 'object' && sum !== null
    ? Decimals.printScaled(Decimals.trimScaled(sum))
    : sum;
}

export function averageOfParts(...[high, low, rest, count]: [...Parts, SqlValue]): string | null {
  const sum = addParts([high, low, rest]);
  if (typeof sum !== 'object' || sum === null) return sum;
  return Decimals.printScaled(
    Decimals.trimScaled(Decimals.averageOf(sum, BigInt(String(count))), sum.scale),
  );
}

function addParts([high, low, rest]: Parts):
  | Decimals.Scaled
  | 'NaN'
  | 'Infinity'
  | '-Infinity'
  | null {
  if (high === null && rest === null) return null;
  const halves = BigInt(String(high ?? 0)) * 2n ** 32n + BigInt(String(low ?? 0));
  if (rest === null) return { units: halves, scale: 0 };
  const others = Decimals.readScaled(String(rest));
  if (others === undefined) return String(rest) as 'NaN' | 'Infinity' | '-Infinity';
  return Decimals.trimScaled(Decimals.addScaled([{ units: halves, scale: 0 }, others]));
}

/** Above every exponent of a sum or an average. */
const LARGEST_EXPONENT = 10_000;

/** A text that sorts bytewise as the decimal does: SQLite has no long decimals. */
export function decimalOrder(digits: string): string {
  if (digits === 'NaN') return '4';
  if (digits.endsWith('Infinity')) return digits.startsWith('-') ? '0' : '3';
  const [, sign = '', whole = '', fraction = ''] = /^(-?)0*(\d*)\.?(\d*)$/.exec(digits) ?? [];
  const significant = (whole + fraction).replace(/^0+/, '').replace(/(?<!0)0+$/, '');
  if (significant === '') return '2';
  const exponent = whole.length || -(/^0*/.exec(fraction)?.[0].length ?? 0);
  const size = String(exponent + LARGEST_EXPONENT).padStart(5, '0') + significant;
  if (sign === '') return `2${size}`;
  // Negative numbers sort in reverse: by the nines' complement, the shorter one last.
  return `1${size.replace(/\d/g, (digit) => String(9 - Number(digit)))}:`;
}

import type { AttributeEntry } from '@proj/client';
import { comparedType } from '@proj/contract';

const INTEGER = /^-?\d+$/;
const DECIMAL = /^-?\d+(\.\d+)?$/;
const SPECIAL = ['NaN', 'Infinity', '-Infinity'];

/**
 * A grid's value as filters of an attribute take it; `undefined` where it is none. Ranges are
 * checked by the service.
 */
export function operandOf(entry: AttributeEntry, value: unknown): unknown {
  switch (comparedType(entry)) {
    case 'int32':
    case 'int64':
      return integer(value);
    case 'float64':
      return float(value);
    case 'decimal':
      return decimal(value);
    case 'boolean':
      return truth(value) ?? (entry.misfits && decimal(value));
    case 'any':
      return typeof value === 'string' ? value : float(value);
    case 'json':
      return typeof value === 'object' ? undefined : value;
    default:
      return typeof value === 'string' ? value : undefined;
  }
}

const OBJECT = /^\{"(?:number|bytes)":"[^"\\]*"\}$/;

/**
 * What a grid may mean by a text in a column of type `any`: that text, or the number, the digits or
 * the bytes of which the grid has made it.
 */
export function meaningsOf(text: string): readonly unknown[] {
  const number = Number(text);
  if (Number.isFinite(number) && String(number) === text) return [text, number];
  return OBJECT.test(text) ? [text, JSON.parse(text)] : [text];
}

/** What an attribute is compared with, for a message. */
export function expectedOperand(entry: AttributeEntry): string {
  const expected: Readonly<Record<string, string>> = {
    int32: 'a whole number',
    int64: 'a whole number; above 2^53 − 1, write its digits as a string',
    float64: 'a number',
    decimal: 'a number, or a string of decimal digits',
    boolean: 'true or false',
    any: 'a number or a string',
    json: 'a string, a number, true or false',
  };
  return expected[comparedType(entry)] ?? 'a string';
}

/** A number past 2^53 was rounded before it got here; a fraction is the service's to judge. */
function integer(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'string') return INTEGER.test(value) ? canonical(value) : undefined;
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : value;
}

function canonical(digits: string): string {
  return String(BigInt(digits));
}

function float(value: unknown): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  if (SPECIAL.includes(value)) return value;
  return Number.isFinite(Number(value)) ? Number(value) : undefined;
}

function decimal(value: unknown): unknown {
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  const text = isNumber ? plainDigits(String(value)) : value;
  return typeof text === 'string' && (DECIMAL.test(text) || SPECIAL.includes(text))
    ? text
    : undefined;
}

/** A number as JavaScript prints it, without an exponent: filters of decimals take none. */
function plainDigits(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent] =
    /^(-?)(\d+)\.?(\d*)e([+-]\d+)$/.exec(text) ?? [];
  if (exponent === undefined) return text;
  const places = Number(exponent);
  if (places < 0) return `${sign}0.${'0'.repeat(-places - 1)}${whole}${fraction}`;
  return sign + whole + fraction.padEnd(places, '0');
}

function truth(value: unknown): unknown {
  if (value === 'true') return true;
  return value === 'false' ? false : typeof value === 'boolean' ? value : undefined;
}

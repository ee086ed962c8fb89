import type { AggregateOp, DateUnit } from '@proj/contract';

import { firstDay, localTime } from './local-time.ts';

/** A record as it travels. */
export type Values = Readonly<Record<string, unknown>>;

/** A group attribute of a request. */
export interface GroupTerm {
  readonly attribute: string;
  readonly by?: DateUnit | undefined;
  readonly time_zone?: string | undefined;
}

/** An aggregate of a request. */
export interface AggregateTerm {
  readonly name: string;
  readonly op: AggregateOp;
  readonly attribute?: string;
}

export function nameOf({ attribute, by }: GroupTerm): string {
  return by === undefined ? attribute : `${attribute}.${by}`;
}

/** The groups of records in no order, computed here from what the records show. */
export function groupedByHand(
  records: readonly Values[],
  groups: readonly GroupTerm[],
  aggregates: readonly AggregateTerm[],
): Values[] {
  const keyOf = (record: Values): unknown[] => groups.map((group) => valueOf(record, group));
  const found = Map.groupBy(records, (record) => JSON.stringify(keyOf(record)));
  return [...found.values()].map((members) => {
    const [first = {}] = members;
    return Object.fromEntries([
      ...groups.map((group) => [nameOf(group), valueOf(first, group)]),
      ...aggregates.map((one) => [one.name, aggregateOf(members, one)]),
    ]) as Values;
  });
}

function valueOf(record: Values, { attribute, by, time_zone: zone }: GroupTerm): unknown {
  const value = record[attribute];
  if (by === undefined || typeof value !== 'string') return value;
  if (zone === undefined) return cut(value, by);
  const { day, hour } = localTime(value, zone);
  return by === 'hour' ? hour : firstDay(day, by);
}

function cut(text: string, by: DateUnit): string {
  if (by === 'hour') return `${text.slice(0, 13)}:00:00${text.endsWith('Z') ? 'Z' : ''}`;
  const date = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  if (by === 'week') date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  if (by === 'month') date.setUTCDate(1);
  if (by === 'quarter') date.setUTCFullYear(year, month - (month % 3), 1);
  if (by === 'year') date.setUTCFullYear(year, 0, 1);
  return date.toISOString().slice(0, 10);
}

function aggregateOf(records: readonly Values[], { op, attribute }: AggregateTerm): unknown {
  if (attribute === undefined) return String(records.length);
  const all = records.map((record) => record[attribute]);
  const values = all.filter((value) => value !== null && value !== undefined);
  switch (op) {
    case 'count':
      return String(values.length);
    case 'count_distinct':
      return String(new Set(values.map((value) => JSON.stringify(value))).size);
    case 'sum':
      return values.length === 0 ? null : printed(sumOf(values));
    case 'average':
      return values.length === 0 ? null : averageOf(values);
    default: {
      const [first, last] = [values.toSorted(compare).at(0), values.toSorted(compare).at(-1)];
      return (op === 'min' ? first : last) ?? null;
    }
  }
}

/** Enough digits of a fraction for every value of the table. */
const SCALE = 40;

function unitsOf(value: unknown): bigint {
  const text = /e/.test(String(value)) ? withoutExponent(Number(value)) : String(value);
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)\.?(\d*)$/.exec(text) ?? [];
  return BigInt(`${sign}${whole}${fraction.padEnd(SCALE, '0')}`);
}

function withoutExponent(value: number): string {
  const [digits = '', exponent] = String(value).split('e');
  const [whole = '', fraction = ''] = digits.replace('-', '').split('.');
  const shift = Number(exponent);
  const sign = value < 0 ? '-' : '';
  if (shift > 0) return `${sign}${whole}${fraction.padEnd(shift, '0')}`;
  return `${sign}0.${'0'.repeat(-shift - 1)}${whole}${fraction}`;
}

function sumOf(values: readonly unknown[]): bigint {
  return values.reduce<bigint>((sum, value) => sum + unitsOf(value), 0n);
}

/** Without zeros at the end of the fraction. */
function printed(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(SCALE + 1, '0');
  const fraction = digits.slice(-SCALE).replace(/0+$/, '');
  const sign = units < 0n ? '-' : '';
  return `${sign}${digits.slice(0, -SCALE)}${fraction && `.${fraction}`}`;
}

/** Rounded half away from zero after 16 digits of the fraction, or as many as the sum has. */
function averageOf(values: readonly unknown[]): string {
  const sum = sumOf(values);
  const places = Math.max(16, printed(sum).split('.')[1]?.length ?? 0);
  const [size, unit] = [BigInt(values.length), 10n ** BigInt(SCALE - places)];
  const half = sum < 0n ? -size * unit : size * unit;
  return printed(((2n * sum + half) / (2n * size * unit)) * unit);
}

/** Numbers by their values, local times by that of UTC, others by their letters. */
export function compare(a: unknown, b: unknown): number {
  const isNumber = [a, b].every((one) => /^-?\d+(\.\d+)?(e[+-]?\d+)?$/.test(String(one)));
  const [left, right] = isNumber ? [unitsOf(a), unitsOf(b)] : [inUtc(a), inUtc(b)];
  return left < right ? -1 : Number(left > right);
}

function inUtc(value: unknown): string {
  const text = String(value);
  return /T.+[+-]\d\d:\d\d$/.test(text) ? new Date(text).toISOString() : text;
}

/** A record whose decimals have no zeros at the end of their fractions. */
export function normalised(record: Values, decimals: ReadonlySet<string>): Values {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      decimals.has(name) && value !== null ? printed(unitsOf(value)) : value,
    ]),
  );
}

import { type AttributeEntry, groupDigits } from '@proj/contract';

import { cellText, isNumeric, textOf } from '../values/cell-text.ts';
import type { Condition } from '../state/view-state.ts';
import { niceEdges } from './nice-edges.ts';

/** One bar: the records that meet all of its conditions and the filter of the view. */
export interface Bin {
  readonly label: string;
  readonly conditions: readonly Condition[];
}

/** The bars of a picture, and in words how they were chosen. */
export interface Bins {
  readonly bins: readonly Bin[];
  readonly chosen: string;
}

/** The least and the greatest value, as texts. */
export interface Extremes {
  readonly smallest: string;
  readonly largest: string;
}

const MOST_VALUES = 10;
const DAY_MS = 86_400_000;
const DATED_TYPES: ReadonlySet<string> = new Set(['date', 'timestamp', 'timestamp_tz']);

/** Whether the attribute's values can be cut into ranges between the least and the greatest. */
export function hasRanges({ type, operators, sortable }: AttributeEntry): boolean {
  const comparable = sortable && operators.includes('lt') && operators.includes('gte');
  return comparable && (isNumeric(type) || DATED_TYPES.has(type));
}

/** Ranges for every value: the outer ones are open. */
export function rangeBins({ name, type }: AttributeEntry, { smallest, largest }: Extremes): Bins {
  const isDated = DATED_TYPES.has(type);
  const { cuts, grows } = isDated
    ? dateCuts(smallest, largest)
    : niceEdges(Number(smallest), Number(largest));
  const texts = [
    ...new Set(cuts.map((cut) => (isDated ? dateText(cut, type) : plainDigits(cut, type)))),
  ];
  const show = isDated ? (text: string) => text.slice(0, 10) : groupDigits;
  const chosen =
    `${grows ? 'Ranges that grow with the values' : 'Ranges of equal width'} between ` +
    `${show(smallest)}, the least value, and ${show(largest)}, the greatest.`;
  if (texts.length === 0)
    return { bins: [{ label: 'any value', conditions: [condition(name, 'not_null')] }], chosen };
  return {
    bins: [...texts, null].map((to, index) =>
      rangeBin(name, { from: texts[index - 1] ?? null, to }, show),
    ),
    chosen,
  };
}

/** The values that the page shows most, each a bar of its own. `cells` are JSON texts. */
export function valueBins(
  { name, type, operators }: AttributeEntry,
  cells: readonly string[],
): Bins {
  if (type === 'boolean' && operators.includes('eq')) {
    return {
      bins: ['true', 'false'].map((value) => valueBin(name, value, value)),
      chosen: 'Both truths.',
    };
  }
  if (!operators.includes('eq')) {
    return {
      bins: [{ label: 'any value', conditions: [condition(name, 'not_null')] }],
      chosen: `Values of type ${type} cannot be compared.`,
    };
  }
  const values = mostFrequentFirst(cells.filter((cell) => cell !== 'null'));
  const which =
    values.length > MOST_VALUES
      ? `The ${MOST_VALUES} values that this page shows most`
      : 'The values that this page shows';
  return {
    bins: values
      .slice(0, MOST_VALUES)
      .map((cell) => valueBin(name, textOf(cell), cellText(cell, type).shown)),
    chosen: `${which}; all others are one bar.`,
  };
}

function mostFrequentFirst(cells: readonly string[]): string[] {
  const counts = [...Map.groupBy(cells, (cell) => cell)];
  return counts.toSorted(([, a], [, b]) => b.length - a.length).map(([cell]) => cell);
}

/** The bar of the records without a value. */
export function nullBin({ name }: AttributeEntry): Bin {
  return { label: 'NULL', conditions: [condition(name, 'is_null')] };
}

function rangeBin(
  name: string,
  { from, to }: { readonly from: string | null; readonly to: string | null },
  show: (text: string) => string,
): Bin {
  const lower = from === null ? [] : [condition(name, 'gte', from)];
  const upper = to === null ? [condition(name, 'not_null')] : [condition(name, 'lt', to)];
  const label =
    from === null
      ? `below ${show(to ?? '')}`
      : to === null
        ? `${show(from)} and above`
        : `${show(from)} – ${show(to)}`;
  return { label, conditions: [...lower, ...(from === null || to !== null ? upper : [])] };
}

function valueBin(name: string, value: string, label: string): Bin {
  return { label, conditions: [condition(name, 'eq', value)] };
}

function condition(
  attribute: string,
  operator: Condition['operator'],
  ...operands: string[]
): Condition {
  return { attribute, operator, operands };
}

/** A number without an exponent; whole for whole types. */
function plainDigits(value: number, type: string): string {
  if (type === 'int32' || type === 'int64') return BigInt(Math.ceil(value)).toString();
  return type === 'float64' || Math.abs(value) >= 1e21
    ? String(value)
    : value.toFixed(Math.min(20, decimals(value)));
}

function decimals(value: number): number {
  const [, digits = '', exponent = '0'] =
    /^-?\d+(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
  return Math.max(0, digits.length - Number(exponent));
}

/** Cuts at midnight (UTC), at steps of whole days. */
function dateCuts(
  smallest: string,
  largest: string,
): { readonly cuts: readonly number[]; readonly grows: false } {
  const [first, last] = [dayOf(smallest), dayOf(largest)];
  if (!(last > first)) return { cuts: [], grows: false };
  const step = Math.ceil((last - first + 1) / MOST_VALUES);
  const count = Math.ceil((last - first + 1) / step) - 1;
  return {
    cuts: Array.from({ length: count }, (_, index) => first + (index + 1) * step),
    grows: false,
  };
}

function dayOf(text: string): number {
  return Math.floor(Date.parse(text.slice(0, 10)) / DAY_MS);
}

function dateText(day: number, type: string): string {
  const date = new Date(day * DAY_MS).toISOString();
  if (type === 'date') return date.slice(0, 10);
  return type === 'timestamp' ? date.slice(0, 19) : `${date.slice(0, 19)}Z`;
}

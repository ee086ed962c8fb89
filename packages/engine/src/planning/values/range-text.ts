import type { FilterValue } from '../../catalogue/field.ts';
import type { Attribute } from '../../catalogue/model.ts';
import { addScaled, readScaled } from '../../decimals.ts';
import { readDay, readMoment } from '../../calendar.ts';

type ReadBound = (value: unknown) => FilterValue | undefined;

const BOUND = String.raw`("[^"]*"|[^",()[\]{}]*)`;
const RANGE = new RegExp(String.raw`^([[(])${BOUND},${BOUND}([\])])$`);
const PART = String.raw`[[(][^[\](){}]*[\])]`;
const SEVERAL = new RegExp(String.raw`^\{(?:${PART}(?:,${PART})*)?\}$`);

export function readRange(
  value: unknown,
  attribute: Attribute,
  readBound: ReadBound,
): string | undefined {
  if (typeof value !== 'string' || !/^[[({]|^empty$/.test(value)) {
    const one = readBound(value);
    return one === undefined || beyondLimit(one, attribute) ? undefined : String(one);
  }
  const isOne = value === 'empty' || isRange(value, attribute, readBound);
  if (isOne) return value;
  if (!SEVERAL.test(value) || !attribute.databaseType.endsWith('multirange')) return undefined;
  const parts = value.match(new RegExp(PART, 'g')) ?? [];
  return parts.every((part) => isRange(part, attribute, readBound)) ? value : undefined;
}

function isRange(text: string, attribute: Attribute, readBound: ReadBound): boolean {
  const [found, opening, ...parts] = RANGE.exec(text) ?? [];
  if (found === undefined) return false;
  const closing = parts.pop();
  const [lower, upper] = parts.map((part) => boundText(part, attribute));
  // Instants are in UTC, where their texts have their order.
  const form = attribute.items === 'timestamp_tz' ? /Z|infinity/ : /^/;
  const isBound = (bound = ''): boolean => form.test(bound) && readBound(bound) !== undefined;
  if ([lower, upper].some((bound) => bound !== '' && !isBound(bound))) return false;
  if (beyondLimit(lower, attribute, opening === '(')) return false;
  if (beyondLimit(upper, attribute, closing === ']')) return false;
  return lower === '' || upper === '' || !isLess(upper, lower, attribute);
}

/** As filters have it; ranges in replies have moments of another form. */
function boundText(text = '', { items }: Attribute): string {
  const plain = text.replaceAll('"', '');
  if (items !== 'timestamp' && items !== 'timestamp_tz') return plain;
  return plain.replace(/^([\d-]+) /, '$1T').replace('+00', 'Z');
}

const BITS: Readonly<Record<string, number>> = { int4: 32, int8: 64 };

/** Ranges of whole values are made half-open, which takes the value behind an upper bound. */
function beyondLimit(value: FilterValue = '', attribute: Attribute, isNextTaken = false): boolean {
  const { items, databaseType, extremes } = attribute;
  const next = isNextTaken ? 1n : 0n;
  if (items === 'int32' || items === 'int64') {
    const bits = BITS[databaseType.slice(0, 4)] ?? 64;
    const taken = BigInt(value) + next;
    return BigInt.asIntN(bits, taken) !== taken;
  }
  const far = extremes.find((extreme) => typeof extreme === 'object');
  return isNextTaken && value === far?.last.join('-');
}

/** Bounds without a place among numbers, from the least. */
const BEFORE = ['-infinity', '-Infinity'];
const BEHIND = ['infinity', 'Infinity', 'NaN'];

function isLess(one = '', other = '', { items }: Attribute): boolean {
  const read =
    items === 'date' ? readDay : items?.startsWith('timestamp') ? readMoment : readScaled;
  const [first, second] = [one, other].map((text) => read(text));
  if (first === undefined || second === undefined) return rank(one) < rank(other);
  return addScaled([first, { ...second, units: -second.units }]).units < 0n;
}

function rank(bound: string): number {
  return BEFORE.includes(bound) ? -1 : BEHIND.indexOf(bound) + 1;
}

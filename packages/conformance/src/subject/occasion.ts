import type { AttributeEntry } from '@proj/client';

import { given } from '../demand.ts';
import type { JsonObject } from './json.ts';
import type { Subject } from './subject.ts';

/** Types whose equal values have one JSON form. */
export const EXACT = new Set(['text', 'int32', 'int64', 'boolean', 'uuid', 'enum']);
/** Types whose order is the same as their equality; texts have the order of a collation. */
export const ORDERED = new Set(['int32', 'int64', 'decimal', 'date', 'timestamp', 'timestamp_tz']);

/** An attribute with a value that records have, and its counts. */
export interface Occasion {
  readonly name: string;
  readonly value: unknown;
  readonly other: unknown;
  readonly total: bigint;
  readonly nulls: bigint;
  readonly count: (op: string, value?: unknown) => Promise<bigint>;
}

/** Finds such an attribute, preferably one with NULL, since that tests more. */
export async function occasion(subject: Subject, types: ReadonlySet<string>): Promise<Occasion> {
  const suiting = subject.attributes(
    ({ type, operators }) =>
      types.has(type) && operators.includes('eq') && operators.includes('is_null'),
  );
  const total = await subject.count();
  const found: Occasion[] = [];
  for (const { name } of suiting) {
    const [value, other] = await subject.values(name);
    if (value === undefined) continue;
    const count = async (op: string, operand?: unknown) =>
      subject.count({ attribute: name, op, value: operand });
    found.push({ name, value, other, total, nulls: await count('is_null', true), count });
  }
  const best =
    found.find(({ nulls, other }) => nulls > 0n && other !== undefined) ??
    found.find(({ other }) => other !== undefined) ??
    found[0];
  return given(best, `no attribute of the types ${[...types].join(', ')} holds a value`);
}

/** The member of a request that sorts by one attribute. */
export function sortBy(attribute: string, more: JsonObject = {}): JsonObject {
  return { query_sort: [{ attribute, ...more }] };
}

/** An attribute with the fewest distinct values: sorting by it leaves the most ties. */
export async function tiedAttribute(subject: Subject): Promise<AttributeEntry> {
  const sortable = subject.attributes((attribute) => attribute.sortable);
  const counted = await Promise.all(
    sortable.map(async (entry) => ({ entry, distinct: (await subject.values(entry.name)).length })),
  );
  const [most] = counted.toSorted((a, b) => a.distinct - b.distinct);
  return given(most?.entry, 'no attribute is sortable');
}

/** Values in the order of a sort. */
export function inOrder<Value>(
  values: readonly Value[],
  direction: string | undefined,
  compare: (a: Value, b: Value) => number,
): Value[] {
  const rising = values.toSorted(compare);
  return direction === 'desc' ? rising.toReversed() : rising;
}

/** Counts in the order of a sort. */
export function countsInOrder(counts: readonly bigint[], direction: string): bigint[] {
  return inOrder(counts, direction, (a, b) => Number(a - b));
}

/** All counts together. */
export function sumOf(counts: readonly bigint[]): bigint {
  return counts.reduce((sum, count) => sum + count, 0n);
}

import { given } from '../demand.ts';
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

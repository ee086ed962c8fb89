import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { type Bucket, KeyBuckets } from './key-buckets.ts';
import { KeyOrder } from './key-order.ts';

function bucketOf(key: number, count: number): Bucket {
  return { key: [key], texts: [String(key)], count };
}

/** A thousand buckets, with keys that are ten apart and from none to three rows. */
function fill(): { buckets: KeyBuckets; model: Bucket[] } {
  const order = KeyOrder.of([{ databaseType: 'integer', direction: 'asc' }]);
  if (order === undefined) throw new Error('Integers are compared.');
  const buckets = new KeyBuckets(order);
  const model = Array.from({ length: 1000 }, (_, index) => bucketOf(index * 10, index % 4));
  buckets.push(model.slice(0, 300));
  buckets.push(model.slice(300));
  return { buckets, model: [...model] };
}

const ACTIONS = fc.array(
  fc.tuple(
    fc.constantFrom('add', 'take', 'split', 'merge'),
    fc.oneof(fc.integer({ min: -5, max: 10_050 }), fc.integer({ min: 2550, max: 2570 })),
  ),
  { minLength: 20, maxLength: 200, size: 'max' },
);

/** Does the same with the buckets and with the model. */
function act(
  { buckets, model }: ReturnType<typeof fill>,
  [action, key]: readonly [string, number],
): void {
  const index = Math.max(
    0,
    model.findLastIndex(({ key: [first] }) => Number(first) <= key),
  );
  const bucket = model[index];
  if (bucket === undefined) return;
  if (action === 'add') buckets.add([key], 1);
  if (action === 'take' && bucket.count > 0) buckets.add([key], -1);
  if (action === 'merge') {
    buckets.merge(bucket);
    if (index > 0) model.splice(index, 1);
  }
  if (action === 'split') {
    const parts = [bucketOf(Number(bucket.key[0]), bucket.count), bucketOf(key, 0)];
    if (Number(bucket.key[0]) >= key) return;
    buckets.replace(bucket, parts);
    model.splice(index, 1, ...parts);
  }
}

describe('buckets of keys', () => {
  it('lead to each place of a list, and know theirs, whatever is added, taken away, split and merged', () => {
    fc.assert(
      fc.property(ACTIONS, fc.array(fc.tuple(fc.nat(999), fc.nat(3))), (actions, corrected) => {
        const filled = fill();
        for (const action of actions) act(filled, action);
        const { buckets, model } = filled;
        const corrections = new Map(
          corrected.flatMap(([index, rows]) => {
            const bucket = model[index];
            return bucket === undefined ? [] : [[bucket, rows] as const];
          }),
        );
        const places = model.flatMap((bucket) => {
          const rows = bucket.count + (corrections.get(bucket) ?? 0);
          return Array.from({ length: rows }, (_, skip) => ({ bucket, skip }));
        });
        expect(buckets.length).toBe(model.length);
        expect(buckets.rows).toBe(model.reduce((sum, { count }) => sum + count, 0));
        expect(buckets.locate(places.length, corrections)).toBeUndefined();
        const wrong = places.filter(({ bucket, skip }, offset) => {
          const place = buckets.locate(offset, corrections);
          return place?.bucket !== bucket || place.skip !== skip;
        });
        expect(wrong).toEqual([]);
        const placed = buckets.placed(corrections);
        expect(placed.buckets).toEqual(model);
        const firsts = model.map((bucket) => {
          const rows = model.slice(0, model.indexOf(bucket));
          return rows.reduce((sum, one) => sum + one.count + (corrections.get(one) ?? 0), 0);
        });
        expect([...placed.rowsBefore]).toEqual(firsts);
      }),
      { numRuns: 50 },
    );
  });
});

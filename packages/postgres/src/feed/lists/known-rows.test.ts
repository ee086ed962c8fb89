import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { COLUMNS, relationOf } from '../../../test/feed/listed-relation.ts';
import { TransactionSnapshot } from '../../log/snapshot.ts';
import type { FoundTwice } from './base-reads.ts';
import type { BaseSnapshot } from './base.ts';
import { KnownRows, type ReadRows } from './known-rows.ts';
import type { ListedRelation } from './listed-order.ts';
import { movedRows } from './filtered-totals.ts';
import type { FoundRows } from './touched-rows.ts';

/** The transactions before this one are those that the first base sees. */
const FIRST = 10;

/** What the transactions have written: one row each, by its key. */
type Written = readonly { readonly key: string; readonly value: string | null }[];

function snapshotOf(xmax: number, running: readonly number[]): TransactionSnapshot {
  const xip = running.map((one) => FIRST + one).filter((xid) => xid < xmax);
  return TransactionSnapshot.parse(`${FIRST}:${xmax}:${[...new Set(xip)].join()}`);
}

/** What the database finds by some keys in a snapshot. */
function foundIn(written: Written, keys: ReadonlySet<string>, seen: TransactionSnapshot) {
  const found: Required<Pick<FoundRows, 'foundBy'>> & { keys: (string | null)[][] } = {
    keys: [],
    foundBy: [],
  };
  for (const [place, key] of [...keys].entries()) {
    const last = written.findLast(
      (row, index) => JSON.stringify([row.key]) === key && seen.sees(BigInt(FIRST + index)),
    );
    const value = last === undefined ? 'at first' : last.value;
    if (value === null) continue;
    (found.foundBy as number[]).push(place);
    found.keys.push([value, key]);
  }
  return { ...found, count: found.keys.length };
}

/** A list of a relation whose changes are in the log, and reads of it. */
function startReads(written: Written, facts: Partial<ListedRelation> = {}) {
  const relation = relationOf('a', ['id'], facts);
  for (const [index, { key }] of written.entries())
    relation.log.append({
      xid: BigInt(FIRST + index),
      rows: [{ stays: [key] }],
      truncated: false,
    });
  const known = new KnownRows();
  const begin = (base: BaseSnapshot, snapshot: TransactionSnapshot) => {
    const keys = relation.log.differingKeys(base.snapshot, snapshot) ?? new Set<string>();
    const read: ReadRows = { base, snapshot, keys };
    const asked = known.ask(relation, read);
    const at = (some: ReadonlySet<string>): FoundTwice => ({
      before: foundIn(written, some, base.snapshot),
      now: foundIn(written, some, snapshot),
    });
    return { asked: asked.keys, all: at(keys), end: () => asked.complete(at(asked.keys)) };
  };
  return { relation, begin };
}

function baseOf(snapshot: TransactionSnapshot): BaseSnapshot {
  return { snapshot } as BaseSnapshot;
}

const sorted = (found: FoundTwice): string[] =>
  movedRows(found)
    .map((row) => JSON.stringify(row))
    .toSorted();

const KEYS = fc.constantFrom('1', '2', '3', '4', '5');
const WRITTEN = fc.array(fc.record({ key: KEYS, value: fc.option(fc.constantFrom('x', 'y')) }), {
  minLength: 1,
  maxLength: 12,
});
const SNAPSHOT = fc
  .tuple(fc.integer({ min: FIRST, max: FIRST + 12 }), fc.array(fc.nat(11), { maxLength: 3 }))
  .map(([xmax, running]) => snapshotOf(xmax, running));

describe('what earlier reads of a list have found', () => {
  it('makes out with what a read asks for all that has moved, whichever read ends first', () => {
    fc.assert(
      fc.property(
        WRITTEN,
        fc.tuple(SNAPSHOT, SNAPSHOT),
        fc.array(fc.tuple(fc.nat(1), SNAPSHOT, fc.boolean()), { minLength: 2, maxLength: 10 }),
        (written, [one, other], reads) => {
          const bases = [baseOf(one), baseOf(other)];
          const { begin } = startReads(written);
          const open: ReturnType<typeof begin>[] = [];
          const [found, all]: [string[][], string[][]] = [[], []];
          const end = (read: ReturnType<typeof begin>): void => {
            found.push(sorted(read.end()));
            all.push(sorted(read.all));
          };
          for (const [base, snapshot, waits] of reads) {
            const read = begin(bases[base] ?? baseOf(one), snapshot);
            if (waits) open.push(read);
            else end(read);
          }
          for (const read of open) end(read);
          expect(found).toEqual(all);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('is not asked for again, but for rows that have changed since', () => {
    const written = ['1', '2', '3', '1'].map((key, index) => ({ key, value: String(index) }));
    const { begin } = startReads(written);
    const base = baseOf(snapshotOf(FIRST, []));
    const first = begin(base, snapshotOf(FIRST + 2, []));
    expect([...first.asked]).toEqual(['["1"]', '["2"]']);
    first.end();
    const second = begin(base, snapshotOf(FIRST + 4, []));
    expect([...second.asked].toSorted()).toEqual(['["1"]', '["3"]']);
    second.end();
    expect(begin(base, snapshotOf(FIRST + 4, [])).asked.size).toBe(0);
    expect(begin(baseOf(base.snapshot), snapshotOf(FIRST + 4, [])).asked.size).toBe(3);
  });

  it.each(['numeric(8,2)', 'text collate any_case', 'character(8)', ''])(
    'is asked for again where several keys of the type "%s" may find a row',
    (type) => {
      const columns = COLUMNS.map((column) => ({ ...column, type }));
      const { begin } = startReads([{ key: '1', value: 'x' }], { columns });
      const base = baseOf(snapshotOf(FIRST, []));
      begin(base, snapshotOf(FIRST + 1, [])).end();
      expect(begin(base, snapshotOf(FIRST + 1, [])).asked.size).toBe(1);
    },
  );
});

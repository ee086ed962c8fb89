import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { relationOf, SNAPSHOT } from '../../../test/feed/listed-relation.ts';
import type { Row } from '../../connection/connection.ts';
import type { SessionStatement } from '../../connection/session.ts';
import { postgresDialect } from '../../dialect.ts';
import { TransactionSnapshot } from '../../log/snapshot.ts';
import { BaseReads, differingKeys } from './base-reads.ts';
import type { BaseSnapshot } from './base.ts';
import { movedRows } from './filtered-totals.ts';
import { ALL_ROWS, type FoundTwice, TouchedRows } from './touched-rows.ts';

/** The transactions before this one are those that the first base sees. */
const FIRST = 10;

/** What the transactions have written: one row each, by its key. */
type Written = readonly { readonly key: string; readonly value: string | null }[];

function snapshotOf(xmax: number, running: readonly number[]): TransactionSnapshot {
  const xip = running.map((one) => FIRST + one).filter((xid) => xid < xmax);
  return TransactionSnapshot.parse(`${FIRST}:${xmax}:${[...new Set(xip)].join()}`);
}

/** Answers as the database does in a snapshot. */
function answerIn(written: Written, seen: TransactionSnapshot, { parameters }: SessionStatement) {
  const asked = JSON.parse(String(parameters.at(-1))) as [string][];
  const found = asked.flatMap(([key]) => {
    const last = written.findLast(
      (row, index) => row.key === key && seen.sees(BigInt(FIRST + index)),
    );
    const value = last === undefined ? 'at first' : last.value;
    return value === null ? [] : [[value, key]];
  });
  return [JSON.stringify([found])];
}

/** A list of a relation whose changes are in the log, and reads of it. */
function startReads(written: Written) {
  const relation = relationOf('a', ['id']);
  for (const [index, { key }] of written.entries())
    relation.log.append({
      xid: BigInt(FIRST + index),
      rows: [{ stays: [key] }],
      truncated: false,
    });
  const touched = new TouchedRows(
    relation,
    [{ filter: ALL_ROWS, columns: ['low', 'id'] }],
    postgresDialect,
  );
  let [asked, base] = [0, baseOf(SNAPSHOT)];
  const bases = {
    inSnapshot: (work: (ask: (statement: SessionStatement) => Promise<Row>) => unknown) => {
      const { snapshot } = base;
      return work(async (statement) =>
        statement.parameters.length === 0 ? [] : answerIn(written, snapshot, statement),
      );
    },
  };
  const reads = new BaseReads({
    bases: bases as never,
    dialect: postgresDialect,
    askNow: async () => [],
  });
  const read = async (
    from: BaseSnapshot,
    snapshot: TransactionSnapshot,
    after = async () => {},
  ) => {
    base = from;
    const keys = differingKeys(relation.log, base, snapshot) ?? new Set<string>();
    const found = await reads.compare(
      base,
      {
        relation,
        snapshot,
        async ask(statement) {
          asked += 1;
          await after();
          return answerIn(written, snapshot, statement);
        },
      },
      { keys, touched },
    );
    return sorted(found?.[0]);
  };
  const moved = (from: BaseSnapshot, snapshot: TransactionSnapshot): string[] => {
    const keys = differingKeys(relation.log, from, snapshot) ?? new Set<string>();
    const statement = { sql: '', parameters: [`[${[...keys].join()}]`] };
    const at = (seen: TransactionSnapshot) => {
      const [text] = answerIn(written, seen, statement);
      const [rows = []] = JSON.parse(text ?? '') as string[][][];
      return { count: rows.length, keys: rows };
    };
    return sorted({ before: at(from.snapshot), now: at(snapshot) });
  };
  return { read, moved, asked: () => asked };
}

function baseOf(snapshot: TransactionSnapshot): BaseSnapshot {
  return {
    snapshot,
    exported: '',
    proven: { has: () => true, add() {} },
    covers: () => true,
    use: (ask: () => unknown) => ask(),
  } as unknown as BaseSnapshot;
}

const sorted = (found: FoundTwice | undefined): string[] =>
  movedRows(found ?? { before: { count: 0, keys: [] }, now: { count: 0, keys: [] } })
    .map((row) => JSON.stringify(row))
    .toSorted();

const KEYS = fc.constantFrom('1', '2', '3', '4', '5');
const WRITTEN = fc.array(fc.record({ key: KEYS, value: fc.option(fc.constantFrom('x', 'y')) }), {
  minLength: 1,
  maxLength: 12,
});
const SNAPSHOTS = fc
  .tuple(fc.integer({ min: FIRST, max: FIRST + 12 }), fc.array(fc.nat(11), { maxLength: 3 }))
  .map(([xmax, running]) => snapshotOf(xmax, running));

describe('what a read finds of the rows that differ from the base', () => {
  it('is all that has moved, whatever reads before and beside it have found', async () => {
    await fc.assert(
      fc.asyncProperty(
        WRITTEN,
        fc.tuple(SNAPSHOTS, SNAPSHOTS),
        fc.array(fc.tuple(fc.nat(1), SNAPSHOTS, fc.boolean()), { minLength: 2, maxLength: 10 }),
        async (written, [one, other], asked) => {
          const bases = [baseOf(one), baseOf(other)];
          const { read, moved } = startReads(written);
          const begun: Promise<string[]>[] = [];
          const all: string[][] = [];
          for (const [base, snapshot, waits] of asked) {
            const from = bases[base] ?? baseOf(one);
            all.push(moved(from, snapshot));
            const reading = read(from, snapshot);
            begun.push(reading);
            if (!waits) await reading;
          }
          expect(await Promise.all(begun)).toEqual(all);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is asked for again where more rows have changed since, or the base is another', async () => {
    const written = ['1', '2', '3', '1'].map((key, index) => ({ key, value: String(index) }));
    const { read, asked } = startReads(written);
    const base = baseOf(snapshotOf(FIRST, []));
    const counts: number[] = [];
    for (const [from, xmax] of [
      [base, 0],
      [base, 2],
      [base, 2],
      [base, 4],
      [base, 4],
      [baseOf(base.snapshot), 4],
    ] as const) {
      await read(from, snapshotOf(FIRST + xmax, []));
      counts.push(asked());
    }
    expect(counts).toEqual([0, 1, 1, 2, 2, 3]);
  });
});

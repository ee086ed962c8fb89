import type { DriftReason } from '@proj/client';
import { eachNth } from '@proj/test-servers';
import { afterEach, describe, expect, it } from 'vitest';

import { databaseKinds } from '../support/database.ts';
import { databaseOfTests, type DatabaseOfTests } from './database-of-tests.ts';
import { judge } from './delivery.ts';
import { deleteRows, fillTable, insertRows, NUMBERS, PLAIN } from './numbered-table.ts';
import { Writer } from './writer.ts';

const LIST = { model: PLAIN.name, attributes: ['n'], size: 100 } as const;

/** All pages in order; `onPage` is waited for after each of them. */
async function walk(
  { client }: DatabaseOfTests,
  concurrency: number,
  onPage: (page: number) => Promise<void> | undefined,
) {
  const delivered: number[] = [];
  let known: DriftReason | null = null;
  const onProgress = ({ drift }: { readonly drift: DriftReason | null }): void =>
    void (known = drift);
  for await (const { records, number } of client.pages(LIST, {
    concurrency,
    onDrift: 'ignore',
    onProgress,
  })) {
    delivered.push(...records.map(({ n }) => Number(n)));
    await onPage(number);
  }
  return { delivered, drift: known as DriftReason | null };
}

const KINDS = databaseKinds();

describe.each(eachNth(KINDS.length, KINDS))('a walk in page order of $name', (kind) => {
  const opened = databaseOfTests(kind, [PLAIN]);
  const unseen = kind.namesVersions ? [] : ['unverifiable'];

  afterEach(async () => fillTable(opened().database, PLAIN));

  it('reports a loss that leaves the total as it was, or that it cannot see one', async () => {
    const { database } = opened();
    const [first, last] = [
      NUMBERS.slice(0, 10),
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((n) => 900_000 + n),
    ];
    const { delivered, drift } = await walk(opened(), 1, async (page) => {
      if (page !== 3) return;
      await database.run('begin');
      await deleteRows(database, PLAIN, first);
      await insertRows(database, PLAIN, last);
      await database.run('commit');
    });
    const found = judge(delivered, new Set(last), new Set(first));
    expect([found.lost.length, found.repeated, found.invented]).toEqual([10, [], []]);
    expect(['version_changed', ...unseen]).toContain(drift);
  });

  it('reports drift while others write, for it loses or repeats rows', async () => {
    const writer = new Writer(opened().database, PLAIN);
    await writer.write(1);
    const { delivered, drift } = await walk(opened(), 4, async () => writer.write(10));
    await writer.stop();
    const found = judge(delivered, writer.inserted, writer.deleted);
    expect(found.invented).toEqual([]);
    expect([...found.lost, ...found.repeated].length).toBeGreaterThan(0);
    expect(['version_changed', 'total_changed', ...unseen]).toContain(drift);
  });
});

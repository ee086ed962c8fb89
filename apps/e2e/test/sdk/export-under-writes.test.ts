import { text } from 'node:stream/consumers';

import { eachNth } from '@proj/test-servers';
import { afterEach, describe, expect, it } from 'vitest';

import { databaseKinds } from '../support/database.ts';
import { databaseOfTests } from './database-of-tests.ts';
import { judge } from './delivery.ts';
import { deleteRows, fillTable, insertRows, NUMBERS, PLAIN } from './numbered-table.ts';
import { Writer } from './writer.ts';

const LIST = { model: PLAIN.name, attributes: ['n'] } as const;

const KINDS = databaseKinds();

describe.each(eachNth(KINDS.length, KINDS))('an export of $name', (kind) => {
  const database = databaseOfTests(kind, [PLAIN]);

  afterEach(async () => fillTable(database().connection, PLAIN));

  it('delivers each record once and in order, as many as it says, while others write', async () => {
    const { client, connection } = database();
    const writer = new Writer(connection, PLAIN);
    await writer.write(1);
    for (let round = 0; round < 5; round++) {
      const list = await client.export(LIST);
      const delivered: number[] = [];
      for await (const { n } of list) delivered.push(Number(n));
      await writer.write(10);
      expect(BigInt(delivered.length)).toBe(list.total);
      expect(delivered).toEqual(delivered.toSorted((left, right) => left - right));
      const found = judge(delivered, writer.inserted, writer.deleted);
      expect(found).toMatchObject({ lost: [], repeated: [], invented: [] });
    }
    await writer.stop();
  });

  it('is of the state that it began with', async () => {
    const { client, connection } = database();
    const list = await client.export(LIST);
    const gone = NUMBERS.slice(-10);
    const added = gone.map((n) => n + 1_000_000);
    await deleteRows(connection, PLAIN, gone);
    await insertRows(connection, PLAIN, added);
    const delivered: number[] = [];
    for await (const { n } of list) delivered.push(Number(n));
    expect(delivered).toEqual(NUMBERS);
  });

  it('has as CSV and as JSON lines what it has as records', async () => {
    const { client } = database();
    const lines = await client.exportFile(LIST, { format: 'jsonl' });
    const records = (await text(lines.body)).trimEnd().split('\n');
    expect(records.map((line) => (JSON.parse(line) as { n: unknown }).n).map(Number)).toEqual(
      NUMBERS,
    );
    const csv = await client.exportFile(LIST, { format: 'csv' });
    expect((await text(csv.body)).split('\r\n')).toEqual(['n', ...NUMBERS.map(String), '']);
    expect([lines.total, csv.total]).toEqual([BigInt(NUMBERS.length), BigInt(NUMBERS.length)]);
  });
});

import { eachNth } from '@proj/test-servers';
import { describe, expect, it } from 'vitest';

import { databaseKinds } from '../support/database.ts';
import { databaseOfTests } from './database-of-tests.ts';
import { judge } from './delivery.ts';
import { TABLES } from './numbered-table.ts';
import { Writer } from './writer.ts';

const KINDS = databaseKinds();

describe.each(eachNth(KINDS.length, KINDS))(
  'a walk in key order while others write to $name',
  (kind) => {
    const opened = databaseOfTests(kind, TABLES);

    it.each(TABLES)(
      'delivers each row that stays exactly once, in order, by $title',
      async (table) => {
        const { client, database } = opened();
        const writer = new Writer(database, table);
        await writer.write(1);
        const delivered: number[] = [];
        for await (const page of client.pages({
          model: table.name,
          attributes: ['n'],
          size: 80,
          order: 'key',
        })) {
          delivered.push(...page.records.map(({ n }) => Number(n)));
          await writer.write(10);
        }
        const writes = await writer.stop();
        expect(judge(delivered, writer.inserted, writer.deleted)).toEqual({
          lost: [],
          repeated: [],
          invented: [],
        });
        const places = delivered.map((n) => table.place(n));
        expect(places).toEqual(places.toSorted());
        // Some of what came meanwhile was met, and some of what went was not: the writes were seen.
        expect(writes).toBeGreaterThan(450);
        expect(delivered.some((n) => writer.inserted.has(n))).toBe(true);
        expect([...writer.deleted].some((n) => !delivered.includes(n))).toBe(true);
      },
    );
  },
);

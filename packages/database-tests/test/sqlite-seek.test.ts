import { beforeRelease } from '@proj/test-servers';
import { beforeAll, describe, expect, it } from 'vitest';

import { databaseFile } from '../../sqlite/test/database-file.ts';
import { type SeekDatabase, seeksFindTheSameRows } from './seeks.ts';
import { buildCatalogue } from '../../engine/src/catalogue/build/build.ts';
import { EVERYTHING } from '../../engine/src/catalogue/grant.ts';
import type { Statement } from '../../engine/src/sql/statement.ts';
import { sqliteDialect } from '../../sqlite/src/dialect.ts';
import { introspect } from '../../sqlite/src/introspection/introspect.ts';
import { Session } from '../../sqlite/src/reads/session.ts';
import { CacheStore } from '../../engine/src/cache-store.ts';
import { Preparer } from '../../engine/src/sql/prepared/preparer.ts';
import { MAX_REPLY_BYTES } from '../../engine/src/reply-memory.ts';

const OPTIONS = { shortPageProof: true, readBackwards: true, maxReplyBytes: MAX_REPLY_BYTES };

/** Columns hold values of other kinds than they declare, as only SQLite lets them. */
const SCRIPT = `
  create table seeks (id integer primary key, few int not null, maybe int, word text collate nocase, amount real, moment datetime, flag boolean, raw);
  with recursive n (i) as (select 1 union all select i + 1 from n where i < 120)
  insert into seeks select i, i % 3, case when i % 4 then i * 7 % 11 end, case i % 5 when 0 then null when 1 then 'Word' when 2 then 'word' else 'w' || i % 9 end,
    case i % 6 when 0 then null when 1 then 'text' else i * 0.1 end, case i % 8 when 0 then null when 1 then 'soon' when 2 then i % 3 when 3 then strftime('%Y-%m-%dT%H:%M:%SZ', '2026-01-01', (i % 7) || ' days') else datetime('2026-01-01', (i % 7) || ' days') end, i % 2, case i % 6 when 0 then i % 4 when 1 then x'00ff' when 2 then i % 4 + 0.0 when 3 then 'w' || i % 4 when 4 then '1' end from n`;

describe('seeking a key on SQLite', () => {
  let connection: Session;
  beforeAll(() => {
    const path = databaseFile(SCRIPT);
    connection = new Session(path, 1);
    return () => connection.database.close();
  });

  const run = ({ sql, parameters }: Statement) =>
    connection.prepare(sql).all(...(parameters as bigint[])) as unknown as unknown[][];

  it('finds the same rows as passing over all that come before, in whatever order', async () => {
    const database: SeekDatabase = {
      dialect: sqliteDialect,
      relations: introspect(connection.database),
      rows: async (statement) => JSON.parse(String(run(statement)[0]?.[0])) as { id: unknown }[],
      row: async (statement) => run(statement)[0] ?? [],
      keys: async (statement) => run(statement),
    };
    await expect(seeksFindTheSameRows(database, beforeRelease ? 150 : 8)).resolves.toBeUndefined();
  });

  it.each([[[]], [[{ attribute: 'few' }]]])(
    'a page in the order %j is sorted only where no key has the order',
    (query_sort) => {
      const { catalogue } = buildCatalogue(introspect(connection.database), {
        expose: 'all',
        models: {},
        maxPageSize: 10,
      });
      const preparer = new Preparer({
        catalogue,
        dialect: sqliteDialect,
        options: OPTIONS,
        store: new CacheStore(2 ** 20),
      });
      const body = { query_model: 'seeks', query_attributes: ['id'], page: { page: 1, size: 1 } };
      const { query } = preparer.prepare(
        query_sort.length > 0 ? { ...body, query_sort } : body,
        EVERYTHING,
      );
      const { sql } = query.statements.rows;
      const steps = connection.database
        .prepare(`explain query plan ${sql}`)
        .all(...Array.from(sql.matchAll(/\?/g), () => 1));
      const isSorted = steps.some(({ detail }) => String(detail).includes('TEMP B-TREE'));
      expect(isSorted).toBe(query_sort.length > 0);
    },
  );
});

import { beforeRelease } from '@proj/test-servers';
import type { Client } from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';

import { relationsOf } from '../../../postgres/src/introspection/introspect.ts';
import { introspection } from '../../../postgres/src/introspection/introspection.ts';
import { postgresDialect } from '../../../postgres/src/dialect.ts';
import type { Statement } from '../../../engine/src/sql/statement.ts';
import { type SeekDatabase, seeksFindTheSameRows } from '../seeks.ts';
import { connect, rowsOf, usePostgres } from './server.ts';

const SQL = `
  create type mood as enum ('sad', 'calm', 'happy');
  create table seeks (id bigint primary key, few numeric(10, 2) not null, maybe double precision, word text, amount money, moment timestamptz, flag mood, raw bytea);
  insert into seeks select i, i % 3 + 0.25, case when i % 4 = 1 then 'NaN' when i % 4 > 1 then (i * 7 % 11)::float8 / 3 end,
    case i % 5 when 0 then null when 1 then 'Word' when 2 then 'wörd' else 'w' || i % 9 end, case when i % 6 > 0 then (i % 10)::money end,
    case when i % 8 = 0 then 'infinity' else timestamptz '2026-01-01 00:00:00.123456+02' + i % 7 * interval '1 day' end,
    (array['sad', 'calm', 'happy', null])[i % 4 + 1]::mood, case i % 3 when 0 then null when 1 then '\\x00ff'::bytea else '\\x01'::bytea end
  from generate_series(1, 120) i`;

describe('seeking a key on PostgreSQL', () => {
  const postgres = usePostgres(SQL);
  let client: Client;
  beforeAll(async () => {
    client = await connect(postgres().url);
  });

  const first = async (statement: Statement): Promise<string[]> =>
    ((await rowsOf(client, statement))[0] ?? []) as string[];

  it('finds the same rows as passing over all that come before, in whatever order', async () => {
    const database: SeekDatabase = {
      dialect: postgresDialect,
      relations: relationsOf(await first(introspection())),
      rows: async (statement) => JSON.parse((await first(statement))[0] ?? '') as { id: unknown }[],
      row: first,
      keys: async (statement) => JSON.parse((await first(statement))[0] ?? '') as unknown[][],
    };
    await expect(seeksFindTheSameRows(database, beforeRelease ? 60 : 20)).resolves.toBeUndefined();
  });
});

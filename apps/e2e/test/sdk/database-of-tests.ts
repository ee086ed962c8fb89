import { createClient, type DynamicQueryClient } from '@proj/client';
import { beforeAll } from 'vitest';

import type { Database, DatabaseKind } from '../support/database.ts';
import { startService, TOKEN } from '../support/service.ts';
import { makeTables, type NumberedTable } from './numbered-table.ts';

/** A database with the tables that tests write to, and a service over it. */
export interface DatabaseOfTests {
  readonly database: Database;
  readonly client: DynamicQueryClient;
}

/** One for all tests of a block; the function returns it, within tests. */
export function databaseOfTests(
  kind: DatabaseKind,
  tables: readonly NumberedTable[],
): () => DatabaseOfTests {
  let ready: DatabaseOfTests | undefined;
  beforeAll(async () => {
    const database = await kind.start();
    await makeTables(database, kind, tables);
    const { origin } = await startService({ database: database.url });
    ready = { database, client: createClient({ baseUrl: origin, token: TOKEN }) };
  });
  return () => {
    if (ready === undefined)
      throw new Error('The database is not there yet: ask for it within a test.');
    return ready;
  };
}

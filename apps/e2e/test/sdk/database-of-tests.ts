import { createClient, type DynamicQueryClient } from '@proj/client';
import type { RunningService } from '@proj/test-servers';
import { afterAll, beforeAll } from 'vitest';

import type { Connection, Database, DatabaseKind } from '../support/database.ts';
import { startService, TOKEN } from '../support/service.ts';
import { makeTables, type NumberedTable } from './numbered-table.ts';

/** A database with the tables that tests write to, and a service over it. */
export interface DatabaseOfTests {
  readonly connection: Connection;
  readonly client: DynamicQueryClient;
}

/** One for all tests of a block; the function returns it, within tests. */
export function databaseOfTests(
  kind: DatabaseKind,
  tables: readonly NumberedTable[],
): () => DatabaseOfTests {
  let [database, service, ready]: [Database?, RunningService?, DatabaseOfTests?] = [];
  beforeAll(async () => {
    database = await kind.start();
    const connection = await database.connect();
    await makeTables(connection, kind, tables);
    service = await startService({ database: database.url });
    ready = { connection, client: createClient({ baseUrl: service.origin, token: TOKEN }) };
  });
  afterAll(async () => {
    await service?.stop();
    await ready?.connection.close();
    await database?.stop();
  });
  return () => {
    if (ready === undefined)
      throw new Error('The database is not there yet: ask for it within a test.');
    return ready;
  };
}

import type { TestDatabase } from '@proj/test-servers';

import type { Source } from '../../../engine/src/sources/source.ts';
import { callOf, type TestCall } from '../../../engine/test/call.ts';

/** A table that the slow statement reads. */
export const SLOW_SQL =
  'create table endless (id int primary key); insert into endless select seq from seq_1_to_10000;';

/** A statement that takes hours. */
export const ENDLESS = 'select count(*), 1 from endless a, endless b, endless c';

/** The page that a statement of two columns gives: a value and the total. */
export async function read(source: Source, sql: string, call: TestCall = {}): Promise<string> {
  const field = {
    name: 'value',
    column: 'value',
    type: 'int32',
    items: undefined,
    databaseType: 'int(11)',
  } as const;
  const statement = { sql, parameters: [] };
  const { json } = await source.read(
    {
      kind: 'page',
      asked: {
        query: {
          relations: [],
          rows: statement,
          reversed: undefined,
          count: statement,
          atOnce: statement,
          lock: undefined,
          fields: [field],
          shortPageProof: false,
          maxBytes: 2 ** 20,
        },
        range: { size: 10, offset: 0n },
      },
    },
    callOf(call),
  );
  return json ?? '';
}

/** How many slow statements run. */
export async function running(server: TestDatabase): Promise<number> {
  return (await runningIn(server)).length;
}

/** The ids of the connections in which slow statements run. */
export async function runningIn(server: TestDatabase): Promise<readonly string[]> {
  return connections(server, `info like '%endless%' and command <> 'Sleep'`);
}

/**
 * Ends the connections that match, or stops their statements; the client's own is not among them.
 */
export async function kill(
  server: TestDatabase,
  what: 'connection' | 'query',
  condition: string,
): Promise<void> {
  for (const id of await connections(server, condition))
    try {
      await server.client(`kill ${what} ${id}`);
    } catch (error) {
      // One that an earlier kill is ending is listed until it has ended.
      if ((error as { code?: string }).code !== 'ER_NO_SUCH_THREAD') throw error;
    }
}

async function connections(server: TestDatabase, condition: string): Promise<readonly string[]> {
  const ids = await server.client(
    `select id from information_schema.processlist where id <> connection_id() and ${condition}`,
  );
  return ids === '' ? [] : ids.split('\n');
}

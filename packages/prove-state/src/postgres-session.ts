import { Client } from 'pg';

import type { ScratchDatabase, ScratchSession } from './scratch-session.ts';

/** PostgreSQL, or a cluster of Citus. */
export function postgresDatabase(url: string): ScratchDatabase {
  return {
    open: () => openSession(url),
    quoted: (name) => `"${name}"`,
    columnsOf: (table) =>
      'select column_name from information_schema.columns ' +
      `where table_schema = current_schema() and table_name = '${table}'`,
    distribute: async (session, table) => {
      const found = await session.rows("select 1 from pg_extension where extname = 'citus'");
      if (found.length > 0)
        await session.rows(`select create_distributed_table('"${table}"', 'id')`);
    },
  };
}

async function openSession(url: string): Promise<ScratchSession> {
  const client = new Client({ connectionString: url });
  // A connection lost between two statements fails the next one.
  client.on('error', () => undefined);
  await client.connect();
  const rows: ScratchSession['rows'] = async (sql) =>
    (await client.query<unknown[]>({ text: sql, rowMode: 'array' })).rows;
  return {
    rows,
    // One text of several statements is a transaction too, but not on every pooler.
    transaction: async (statements) => {
      await rows('begin');
      try {
        for (const statement of statements) await rows(statement);
        await rows('commit');
      } catch (error) {
        await rows('rollback').catch(() => undefined);
        throw error;
      }
    },
    close: () => client.end(),
  };
}

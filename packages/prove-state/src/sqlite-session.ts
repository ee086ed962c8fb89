import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';

import type { ScratchDatabase, ScratchSession } from './scratch-session.ts';

/** Wait for another writer, in milliseconds. */
const BUSY_MS = 2000;

export function sqliteDatabase(url: string): ScratchDatabase {
  return {
    open: () => openSession(url.replace(/^sqlite:/, '')),
    quoted: (name) => `"${name}"`,
    columnsOf: (table) => `select name from pragma_table_info('${table}')`,
    distribute: async () => undefined,
  };
}

async function openSession(file: string): Promise<ScratchSession> {
  const database = new DatabaseSync(file, { timeout: BUSY_MS });
  return {
    rows: async (sql) => {
      // Calls of SQLite block, and the reads of the service have to go on.
      await setImmediate();
      const statement = database.prepare(sql);
      statement.setReturnArrays(true);
      return statement.all() as unknown as unknown[][];
    },
    transaction: async (statements) => {
      await setImmediate();
      database.exec('begin immediate');
      try {
        for (const statement of statements) database.exec(statement);
        database.exec('commit');
      } catch (error) {
        database.exec('rollback');
        throw error;
      }
    },
    close: async () => database.close(),
  };
}

import { createConnection } from 'mysql2/promise';

import type { ScratchDatabase, ScratchSession } from './scratch-session.ts';

/** MariaDB or MySQL. */
export function mysqlDatabase(url: string): ScratchDatabase {
  return {
    open: () => openSession(url.replace(/^mariadb:/, 'mysql:')),
    quoted: (name) => `\`${name}\``,
    columnsOf: (table) =>
      'select column_name from information_schema.columns ' +
      `where table_schema = database() and table_name = '${table}'`,
    distribute: async () => undefined,
  };
}

async function openSession(uri: string): Promise<ScratchSession> {
  const connection = await createConnection({ uri, rowsAsArray: true });
  // A connection lost between two statements fails the next one.
  connection.on('error', () => undefined);
  const rows: ScratchSession['rows'] = async (sql) => {
    const [found] = await connection.query(sql);
    return Array.isArray(found) ? (found as unknown[][]) : [];
  };
  return {
    rows,
    transaction: async (statements) => {
      await connection.beginTransaction();
      try {
        for (const statement of statements) await rows(statement);
        await connection.commit();
      } catch (error) {
        await connection.rollback().catch(() => undefined);
        throw error;
      }
    },
    close: () => connection.end(),
  };
}

import { DatabaseSync } from 'node:sqlite';

import { createConnection } from 'mysql2/promise';
import { Client } from 'pg';

import type { DatabaseName } from '../scenarios.ts';
import type { WriterInput } from './writer.ts';

/** Commits one transaction after another. */
interface Commit {
  readonly commit: (number: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

type Run = (sql: string) => Promise<unknown>;

/** Opens a connection that writes. Closing leaves the table as long as it was. */
export async function openCommit(input: WriterInput): Promise<Commit> {
  const { run, close } = await CONNECTIONS[input.database](input.url);
  return {
    commit: async (number) => {
      await run('begin');
      try {
        for (const statement of changes(input, number)) await run(statement);
        await run('commit');
      } catch (error) {
        await run('rollback');
        throw error;
      }
    },
    close: async () => {
      await run(deletion(input));
      await close();
    },
  };
}

/**
 * Some row is changed; behind the end a row comes and goes in turn, so that the total changes with
 * every transaction.
 */
function changes(input: WriterInput, number: number): string[] {
  const { table, rows } = input;
  const somewhere = 1 + ((number * 7919) % rows);
  const values =
    `${rows + 1}, '2030-01-01T00:00:00', 'written ${number}', ${number}.5, ` +
    `${number % 3 === 0}`;
  const insertion = `insert into ${table} (id, created_at, name, amount, flag) values (${values})`;
  return [
    `update ${table} set amount = ${number}.25 where id = ${somewhere}`,
    number % 2 === 0 ? insertion : deletion(input),
  ];
}

function deletion({ table, rows }: WriterInput): string {
  return `delete from ${table} where id > ${rows}`;
}

interface Connection {
  readonly run: Run;
  readonly close: () => Promise<void>;
}

const CONNECTIONS: Record<DatabaseName, (url: string) => Promise<Connection>> = {
  postgres: async (url) => {
    const client = new Client({ connectionString: url });
    await client.connect();
    return { run: (sql) => client.query(sql), close: () => client.end() };
  },
  mariadb: async (url) => {
    const connection = await createConnection(url);
    return { run: (sql) => connection.query(sql), close: () => connection.end() };
  },
  sqlite: async (url) => {
    const database = new DatabaseSync(url.replace(/^sqlite:/, ''), { timeout: 10_000 });
    return { run: async (sql) => database.exec(sql), close: async () => database.close() };
  },
};

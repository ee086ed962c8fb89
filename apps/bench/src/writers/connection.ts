import { DatabaseSync } from 'node:sqlite';

import { createConnection } from 'mysql2/promise';
import { Client } from 'pg';

import type { DatabaseName } from '../scenarios.ts';

/** A connection that writes. */
export interface Connection {
  readonly run: (sql: string) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

export function openConnection(database: DatabaseName, url: string): Promise<Connection> {
  return OPENERS[database](url);
}

const OPENERS: Record<DatabaseName, (url: string) => Promise<Connection>> = {
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

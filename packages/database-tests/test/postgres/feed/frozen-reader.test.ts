import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { until } from '@proj/test-servers';
import { Client } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';

import { useOwnPostgres } from '../server.ts';

const READER = fileURLToPath(new URL('../../programs/change-reader.ts', import.meta.url));

const SENDER_TIMEOUT_MS = 2000;

const SQL = `
  create table notes (id int generated always as identity primary key, note text);
  create table filled (filler text);
  create publication dynamic_query for table notes`;

/** More than fits between the server and a reader, in one message. */
const LARGE_NOTE = `insert into notes (note) values (repeat('x', 50000000))`;

/** More of the log than a slot may hold back. */
const FILL = `insert into filled select repeat('x', 1000) from generate_series(1, 40000)`;

const SENDERS = `select wait_event from pg_stat_activity where backend_type = 'walsender'`;

describe('a process that follows a server and is frozen', () => {
  const settings = {
    wal_level: 'logical',
    max_slot_wal_keep_size: '16MB',
    // The server waits for no reply of its own accord.
    wal_sender_timeout: '0',
  };
  const postgres = useOwnPostgres({ settings, sql: SQL });

  /** Starts one, and freezes it while the server writes to it. */
  async function freezeReader(sql: Client): Promise<void> {
    const reader = fork(READER, [postgres().url, String(SENDER_TIMEOUT_MS)]);
    onTestFinished(() => void reader.kill('SIGKILL'));
    await once(reader, 'message');
    reader.kill('SIGSTOP');
    await sql.query(LARGE_NOTE);
    await until(async () => {
      const { rows } = await sql.query<{ wait_event: string | null }>(SENDERS);
      // On a slow machine the server may have ended its side by now.
      return rows.every(({ wait_event }) => wait_event === 'WalSenderWriteData');
    });
  }

  async function connect(): Promise<Client> {
    // A checkpoint that never ends fails the test.
    const client = new Client({ connectionString: postgres().url, query_timeout: 30_000 });
    client.on('error', () => undefined);
    await client.connect();
    onTestFinished(() => client.end());
    return client;
  }

  it('lets the server finish its checkpoints, and holds no log back', async () => {
    const sql = await connect();
    await freezeReader(sql);
    await sql.query(FILL);
    // It invalidates the slot, for which the server process has to end that writes to the reader.
    await sql.query('checkpoint');
    await until(async () => (await sql.query(SENDERS)).rowCount === 0);
    expect((await sql.query('select from pg_replication_slots')).rowCount).toBe(0);
  });
});

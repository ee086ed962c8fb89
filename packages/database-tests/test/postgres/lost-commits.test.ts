import { type Engine, EVERYTHING } from '@proj/engine';
import { until } from '@proj/test-servers';
import { Client } from 'pg';
import { expect, it } from 'vitest';

import { open } from '../open.ts';
import { describePgBouncer, startPooler } from './pgbouncer.ts';
import { useOwnPostgres } from './server.ts';

/** Commits that nobody waits for are flushed that much later, and are lost when the server crashes. */
const SETTINGS = { synchronous_commit: 'off', wal_writer_delay: '10s', autovacuum: 'off' };

/** The number of the transaction that wrote the newest note, which a crash lets be used again. */
const NEWEST = 'select xmin from notes order by id desc limit 1';

async function read(engine: Engine): Promise<{ text: string; version: string | undefined }> {
  const body = { query_model: 'notes', query_attributes: ['note'], page: { page: 1, size: 10 } };
  const { result, version } = await engine.query(body, EVERYTHING);
  return { text: result, version };
}

describePgBouncer('an engine whose PostgreSQL server loses its last commits', () => {
  const postgres = useOwnPostgres({
    settings: SETTINGS,
    sql: 'create table notes (id int primary key, note text); checkpoint',
  });

  /** How often the server has said that it is ready. */
  const starts = async (): Promise<number> =>
    (await postgres().log()).split('ready to accept connections').length;

  /** As when the system kills it; the server then ends all sessions and recovers by itself. */
  async function killBackend(): Promise<void> {
    const client = new Client({ connectionString: postgres().url });
    const ended = new Promise((resolve) => {
      client.on('error', resolve);
    });
    await client.connect();
    const before = await starts();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    process.kill(rows[0]?.pid ?? 0, 'SIGKILL');
    await ended;
    await until(async () => (await starts()) > before);
  }

  async function crash(): Promise<void> {
    process.kill(postgres().pid, 'SIGQUIT');
    await postgres().restart();
  }

  it.each([
    ['a backend was killed', killBackend],
    ['it crashed', crash],
  ])('has no version again at which the data was another, after %s', async (_case, lose) => {
    const pooler = await startPooler({ server: postgres().url, mode: 'transaction' });
    const engines = await Promise.all([open(postgres().url), open(pooler)]);
    await postgres().client('truncate notes; checkpoint');
    await postgres().client(`insert into notes values (1, 'lost')`);
    const lost = await postgres().client(NEWEST);
    const before = await Promise.all(engines.map(read));
    expect(before.map(({ text }) => text)).toEqual(engines.map(() => '[{"note":"lost"}]'));
    await lose();
    await postgres().client(`insert into notes values (2, 'written after')`);
    expect(await postgres().client(NEWEST)).toBe(lost);
    const after = await Promise.all(engines.map(read));
    expect(after.map(({ text }) => text)).toEqual(engines.map(() => '[{"note":"written after"}]'));
    after.forEach(({ version }, index) => expect(version).not.toBe(before[index]?.version));
  });
});

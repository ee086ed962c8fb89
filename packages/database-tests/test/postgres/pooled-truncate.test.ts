import { type PgBouncer, startPgBouncer } from '@proj/test-servers';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { ask, open } from '../open.ts';
import { describePgBouncer } from './pgbouncer.ts';
import { usePostgres } from './server.ts';

describePgBouncer('a page read behind PgBouncer', () => {
  const postgres = usePostgres(
    'create table refilled (id int primary key); insert into refilled values (1), (2)',
  );
  let pooler: PgBouncer;
  beforeAll(async () => {
    pooler = await startPgBouncer({ server: postgres().url, mode: 'transaction' });
  });
  afterAll(() => pooler.stop());

  it('shows what a transaction left that empties and fills the table, and never the empty table', async () => {
    const engine = await open(pooler.url);
    const writer = new Client({ connectionString: postgres().url });
    await writer.connect();
    await writer.query('begin; truncate refilled; insert into refilled values (3), (4)');
    const asked = ask(engine, { model: 'refilled', attributes: ['id'] });
    const waits = async (): Promise<number | null> =>
      (await writer.query('select from pg_locks where not granted')).rowCount;
    await expect.poll(waits, { interval: 10 }).toBe(1);
    await writer.query('commit');
    await writer.end();
    expect(await asked).toMatchObject({ text: '[{"id":3},{"id":4}]', page: { total: '2' } });
    await engine.close();
  });
});

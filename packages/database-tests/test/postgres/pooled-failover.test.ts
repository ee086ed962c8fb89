import {
  type PgBouncer,
  type PostgresServer,
  startPgBouncer,
  startPostgres,
} from '@proj/test-servers';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { ask, open } from '../open.ts';
import { outcome } from '../outcome.ts';
import { startProxy, type Proxy } from '../proxy.ts';
import { describePgBouncer } from './pgbouncer.ts';

const LIST = { model: 'ledger', attributes: ['id'] };

describePgBouncer('a URL of PgBouncer that asks for a primary', () => {
  let primary: PostgresServer;
  let standby: PostgresServer;
  let proxy: Proxy;
  let pooler: PgBouncer;
  beforeAll(async () => {
    primary = await startPostgres();
    await primary.client('create table ledger (id int primary key); insert into ledger values (1)');
    standby = await primary.startStandby();
    await standby.client('select pg_wal_replay_pause()');
    await primary.client('insert into ledger values (2)');
    proxy = await startProxy(portOf(primary));
    const server = `postgres://postgres@127.0.0.1:${proxy.port}/postgres`;
    const settings = { server_login_retry: '0' };
    pooler = await startPgBouncer({ server, mode: 'transaction', settings });
  });
  afterAll(async () => {
    await pooler.stop();
    await proxy.close();
    await Promise.all([primary, standby].map((server) => server.stop()));
  });

  it('shows nothing of a standby to which open connections lead, until that is promoted', async () => {
    const engine = await open(`${pooler.url}?target_session_attrs=primary`);
    expect((await ask(engine, LIST)).page.total).toBe('2');
    // PgBouncer keeps the connections of its clients.
    proxy.leadTo(portOf(standby));
    const refusal = (): Promise<unknown> => ask(engine, LIST).catch(String);
    await expect.poll(refusal, { interval: 10 }).toContain('is a standby');
    await expect(open(`${pooler.url}?target_session_attrs=primary`)).rejects.toThrow(
      'is a standby',
    );
    await standby.client('select pg_wal_replay_resume(); select pg_promote()');
    await expect.poll(() => outcome(ask(engine, LIST)), { interval: 10 }).toBe('answered');
    expect((await ask(engine, LIST)).page.total).toBe('2');
  });
});

function portOf({ url }: PostgresServer): number {
  return Number(new URL(url).port);
}

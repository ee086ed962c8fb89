import { type PostgresServer, startPostgres, until } from '@proj/test-servers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Callers } from './callers.ts';
import { LEDGER, Ledger } from './ledger.ts';
import { PostgresWriter } from './postgres-writer.ts';
import { CLERK, type Service, startService } from './service.ts';

const ROUNDS = 3;

describe('services whose database is restarted under load', () => {
  let server: PostgresServer;
  let writer: PostgresWriter;
  let ledger: Ledger;
  beforeAll(async () => {
    server = await startPostgres({ settings: { log_statement: 'none', max_connections: '60' } });
    await server.client(LEDGER);
    writer = new PostgresWriter(server.url);
    ledger = new Ledger((id) => writer.add(id));
    for (let count = 0; count < 100; count++) await ledger.add();
  });
  afterAll(async () => {
    await writer.end();
    await server.stop();
  });

  it.each([1, 2])('answer by themselves when it is back, with %i workers', async (workers) => {
    const service = await startService(`database: ${server.url}\nworkers: ${workers}`);
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await restartUnder(service));
    await service.stop();
    const times = rounds.map(({ milliseconds }) => milliseconds).join(', ');
    console.log(`${workers} workers: first good answer after ${times} ms`);
    expect(rounds.flatMap(({ faults }) => faults)).toEqual([]);
  });

  async function restartUnder({ origin }: Service): Promise<Round> {
    const callers = new Callers(ledger, { origin, token: CLERK, count: 8 }).start();
    await until(() => callers.right > 50);
    await server.halt();
    await until(() => callers.refused.length > 0);
    await server.restart();
    const [back, answered] = [performance.now(), callers.right];
    await until(() => callers.right > answered);
    const milliseconds = Math.round(performance.now() - back);
    await callers.stop();
    return { milliseconds, faults: callers.faults };
  }
});

/** One restart. */
interface Round {
  /** From when the server takes connections again to the first good answer. */
  readonly milliseconds: number;
  readonly faults: readonly string[];
}

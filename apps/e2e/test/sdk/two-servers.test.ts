import { createClient, type Progress } from '@proj/client';
import { eachNth, type RunningService, until } from '@proj/test-servers';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { type Balancer, lacksBalancer, startBalancer } from '../support/balancer.ts';
import { type Database, POSTGRES } from '../support/database.ts';
import { startService, TOKEN } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ROWS = 10_000;

const LIST = { model: 'readings', attributes: ['id', 'note'], size: 100 } as const;

// A repeated query changes nothing, so that an operator may let the balancer repeat it.
const REPEATS = ['retries 3', 'option redispatch 1', 'retry-on all-retryable-errors'];
const GIVES_UP = ['retries 0'];

const WHO_REPEATS = [
  ['the balancer repeats what it held', REPEATS, 0],
  ['the balancer gives up and the SDK repeats', GIVES_UP, 8],
] as const;

describe.skipIf(lacksBalancer('a parallel read from two servers'))(
  'a parallel read of 10,000 rows from two servers',
  () => {
    let database: Database | undefined;

    beforeAll(async () => {
      database = await POSTGRES.start();
      const { run } = database;
      await run('create table readings (id integer primary key, note text not null)');
      await run(
        `insert into readings select n, 'reading ' || n from generate_series(1, ${ROWS}) as n`,
      );
      await run('analyze readings');
    });

    const startServer = () => startService({ database: database?.url ?? '' });

    const start = async (onFailure: readonly string[]) => {
      const [first, second] = await Promise.all([startServer(), startServer()]);
      const folder = await temporaryFolder();
      const balancer = await startBalancer({
        folder,
        servers: { first: first.port, second: second.port },
        onFailure,
      });
      onTestFinished(balancer.stop);
      return { first, balancer };
    };

    it.each(eachNth(2, WHO_REPEATS))(
      'is complete, in order and without drift when one of them is killed meanwhile: %s',
      async (_title, onFailure, retries) => {
        const { first, balancer } = await start(onFailure);
        const client = createClient({ baseUrl: balancer.origin, token: TOKEN, retries });
        const reported: Progress[] = [];
        const records: unknown[] = [];
        let killing: Promise<void> | undefined;
        const read = client.records(LIST, {
          concurrency: 8,
          onProgress: (progress) => reported.push(progress),
        });
        for await (const record of read) {
          records.push(record);
          if (records.length === 4000) killing = killWhileAsked(first, balancer);
        }
        await killing;
        expect(records).toEqual(
          Array.from({ length: ROWS }, (_, index) => ({
            id: index + 1,
            note: `reading ${index + 1}`,
          })),
        );
        expect(reported.map(({ page }) => page)).toEqual(
          Array.from({ length: ROWS / LIST.size }, (_, index) => index + 1),
        );
        expect(reported.filter(({ drift }) => drift !== null)).toEqual([]);
        const pages = await Promise.all(
          ['first', 'second'].map(async (name) => balancer.statistics(name)),
        );
        expect(pages.map(({ succeeded }) => succeeded > 5)).toEqual([true, true]);
      },
    );
  },
);

/** A frozen server holds what it is sent: the requests are under way when it is killed. */
async function killWhileAsked(service: RunningService, balancer: Balancer): Promise<void> {
  service.child.kill('SIGSTOP');
  await until(async () => (await balancer.statistics('first')).underWay > 0);
  await service.stop();
}

/**
 * Whether equal versions mean equal data on the nodes of a Galera cluster. The ordinary run is
 * short; longer:
 *
 *     VERSIONS_SEEN=3000 npx vitest run test/mysql/galera-versions.release.test.ts
 */
import { type MariadbServer, startGalera } from '@proj/test-servers';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { describeGalera } from './galera.ts';
import { readWhileWritten } from './read-while-written.ts';
import { RESTLESS_TABLE } from './restless-writers.ts';

describeGalera('equal versions of the nodes of a Galera cluster', () => {
  let one: MariadbServer;
  let two: MariadbServer;
  const servers: MariadbServer[] = [];
  beforeAll(async () => {
    [one, two] = await startGalera({ settings: ['general-log=off'] });
    servers.push(one, two);
    await one.client(RESTLESS_TABLE);
    await two.client('set wsrep_sync_wait = 1; select * from restless');
  }, 400_000);
  afterAll(() => Promise.all(servers.map((server) => server.stop())));

  it('mean equal data on a node that applies writes in parallel', async () => {
    const data = await readWhileWritten({ read: [two.url], written: [one.url] });
    expect(data.differing).toEqual([]);
  });

  it('mean equal data while both nodes write to the same rows, and roll each other back', async () => {
    const both = [one.url, two.url];
    const data = await readWhileWritten({ read: both, written: both });
    expect(data.differing).toEqual([]);
  });
});

import { SettingsError } from '@proj/engine';
import { type MariadbServer, startMariadb } from '@proj/test-servers';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';

import { open } from '../open.ts';
import { COUNTED_TABLE, fillCounted } from './counted.ts';
import { describeMariadb } from './mariadb.ts';
import { startStatementRouter } from './statement-router.ts';

describeMariadb('an engine behind a proxy that divides sessions between servers of MariaDB', () => {
  let servers: readonly [MariadbServer, MariadbServer] | undefined;
  beforeAll(async () => {
    servers = [await startMariadb({}), await startMariadb({})];
    for (const [index, server] of servers.entries())
      await server.client(`${COUNTED_TABLE}; ${fillCounted(2000 + index)}`);
    // Its numbers of sessions are others than those of the first.
    for (let sessions = 0; sessions < 3; sessions++) await servers[1].client('do 0');
  });
  afterAll(() => Promise.all(servers?.map((server) => server.stop()) ?? []));

  it.each([
    [true, 'statements of one transaction are answered by several servers'],
    [false, 'what a session is set to does not last'],
  ])(
    'is refused with what to do, where settings reach all servers: %s',
    async (sharesSettings, why) => {
      if (servers === undefined) throw new Error('The servers are not started yet.');
      const [first, second] = servers;
      const router = await startStatementRouter([first.url, second.url], { sharesSettings });
      onTestFinished(() => router.close());
      const error: unknown = await open(router.url).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(SettingsError);
      expect(String(error)).toContain(why);
      expect(String(error)).toContain('Name a server, or a port of the proxy');
    },
  );
});

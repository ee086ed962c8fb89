import { expect, it } from 'vitest';

import { Connection } from '../../../mysql/src/connection/connection.ts';
import { KillChannel } from '../../../mysql/src/connection/kill-channel.ts';
import { readMysqlUrl } from '../../../mysql/src/connection/url.ts';
import { outcome } from '../outcome.ts';
import { startProxy } from '../proxy.ts';
import { describeMariadb, nameOf, useMariadb } from './mariadb.ts';
import { ENDLESS, running, SLOW_SQL } from './slow.ts';

describeMariadb('the connection that stops the statements of others', () => {
  const mariadb = useMariadb(SLOW_SQL);

  it('is opened anew when it is frozen, and stops the next statement', async () => {
    const proxy = await startProxy(Number(new URL(mariadb().url).port));
    const channel = new KillChannel(() =>
      Connection.open(readMysqlUrl(`mysql://root@127.0.0.1:${proxy.port}/${nameOf(mariadb())}`)),
    );
    await channel.open();
    const connection = await Connection.open(readMysqlUrl(mariadb().url));
    const asked = outcome(connection.command(ENDLESS));
    await expect.poll(() => running(mariadb())).toBe(1);
    proxy.freeze();
    expect(await channel.kill(connection.threadId, 100)).toBe(false);
    expect(await channel.kill(connection.threadId, 5000)).toBe(true);
    expect(await asked).toContain('interrupted');
    channel.close();
    connection.destroy();
    await proxy.close();
  });
});

import { createClient } from '@proj/client';
import { describe, expect, it, onTestFinished } from 'vitest';

import { lacksBalancer, startBalancer } from '../support/balancer.ts';
import { SQLITE } from '../support/database.ts';
import { startService, TOKEN } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const LIST = { model: 'notes', attributes: ['id'] } as const;

const SETTINGS = 'expose: all\nlimits: { watch_check_ms: 100 }\n';

const left = lacksBalancer('a watch behind HAProxy');

describe.skipIf(left)('a list that the SDK watches behind HAProxy', () => {
  it('has its states as they come, and goes on with another service when its own stops', async () => {
    const { url, run } = await SQLITE.start();
    await run('create table notes (id bigint not null primary key)');
    const start = () => startService({ database: url, settings: SETTINGS });
    const [first, second] = [await start(), await start()];
    const folder = await temporaryFolder();
    const servers = { first: first.port, second: second.port };
    const balancer = await startBalancer({ folder, servers, onFailure: [] });
    onTestFinished(balancer.stop);

    const client = createClient({ baseUrl: balancer.origin, token: TOKEN });
    const leaving = new AbortController();
    onTestFinished(() => leaving.abort());
    const states = client.watch(LIST, { everyMs: 100, signal: leaving.signal });
    const iterator = states[Symbol.asyncIterator]();
    expect((await iterator.next()).value).toMatchObject({ total: 0n });
    await run('insert into notes values (1)');
    expect((await iterator.next()).value).toMatchObject({ total: 1n });
    let next = iterator.next();
    await first.stop();
    await run('insert into notes values (2)');
    // The other service may be asked before that: its versions of a SQLite file are its own.
    while ((await next).value?.total === 1n) next = iterator.next();
    expect((await next).value).toMatchObject({ total: 2n });
  });
});

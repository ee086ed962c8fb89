import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';

import { API_PATHS } from '@proj/contract';
import { describe, expect, it, onTestFinished } from 'vitest';

import { CITIES, cityQuery, makeDatabase, until } from './helper.ts';
import { askText } from './long-replies.ts';
import { startServer } from './server-process.ts';
import { childrenOf, REPLACED, startWorkers, statusesOf, TOKEN } from './two-workers.ts';

/** Lets a process open no more files, until the test says so. */
function withoutDescriptors(pid = 0): () => void {
  const limit = (most: number) => execFileSync('prlimit', [`--pid=${pid}`, `--nofile=${most}:`]);
  limit(1);
  return () => limit(1024);
}

function descriptorsOf(pid = 0): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** Asks over one connection, as the service could not take another one. */
async function startAsking(port: number): Promise<(page: number) => Promise<string>> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return async (page) => {
    socket.write(askText(API_PATHS.query, cityQuery(page, 1), { token: TOKEN }));
    const [reply] = (await once(socket, 'data')) as [Buffer];
    return reply.toString();
  };
}

describe.runIf(process.platform === 'linux')('a service that may open no more files', () => {
  it('answers 503 where it cannot start a reader, and reads again once it can', async () => {
    const { directory, file } = makeDatabase(CITIES);
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const args = ['--database', `sqlite:${file}`, '--expose', 'all'];
    const { child, port } = await startServer(args, { DYNAMIC_QUERY_ADMIN_TOKEN: TOKEN });
    const ask = await startAsking(port);
    expect(await ask(1)).toMatch(/^HTTP\/1.1 200/);

    const release = withoutDescriptors(child.pid);
    for (const pid of childrenOf(child.pid)) process.kill(pid, 'SIGKILL');
    await until(() => childrenOf(child.pid).length === 0);
    expect(await ask(2)).toMatch(/^HTTP\/1.1 503.*\r\nretry-after: 1\r\n/is);

    release();
    expect(await ask(3)).toMatch(/^HTTP\/1.1 200/);
  });

  it('replaces a worker that it could not replace at once', async () => {
    const { child, output, workers } = await startWorkers();
    const release = withoutDescriptors(child.pid);
    const [killed = 0] = workers();
    process.kill(killed, 'SIGKILL');
    await until(() => output().includes('a worker could not be started'));
    release();
    await until(() => output().includes(REPLACED));
    expect(workers()).toHaveLength(2);
  });

  it('waits for workers that can take a connection', async () => {
    const { ask, child, metrics, workers } = await startWorkers();
    const before = descriptorsOf(child.pid);
    const releases = workers().map(withoutDescriptors);
    const asked = Array.from({ length: 4 }, () => ask());
    await until(() => descriptorsOf(child.pid) >= before + asked.length);
    // The workers are asked for them behind the connections, which do not arrive.
    await metrics();
    for (const release of releases) release();
    expect(statusesOf(await Promise.all(asked))).toEqual([200, 200, 200, 200]);
  });
});

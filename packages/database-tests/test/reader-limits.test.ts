import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { type Engine, EVERYTHING } from '@proj/engine';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { databaseFile, directory } from '../../sqlite/test/database-file.ts';
import { ask, bodyOf, open } from './open.ts';
import { outcome } from './outcome.ts';
import { exists, running } from './reader-processes.ts';
import { stopClock } from './stopped-clock.ts';

const SCRIPT = `create table t (id integer primary key); insert into t values (1);
  create view endless as with recursive n (i) as (select 1 union all select i + 1 from n) select i from n`;
const PAGE = { model: 't', attributes: ['id'] };

const stopped = new Set<number>();
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  for (const pid of stopped) if (exists(pid)) process.kill(pid, 'SIGCONT');
});

/** Undefined where the process has closed it meanwhile. */
function fileOf(descriptor: string): string | undefined {
  try {
    return readlinkSync(descriptor);
  } catch {
    return undefined;
  }
}

/** Resolves when none of them runs and the last signs of life that they gave have been read. */
async function stopReaders(): Promise<void> {
  for (const pid of running()) {
    process.kill(pid, 'SIGSTOP');
    stopped.add(pid);
    await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) T /);
  }
  await setImmediate();
}

/**
 * What comes of some work by the time that so much of it has passed. The clock stays stopped, so
 * that no reader has been seen at a time that is still to come.
 */
async function outcomeAfter(ms: number, work: () => Promise<unknown>): Promise<string> {
  if (!vi.isFakeTimers()) stopClock();
  const found = outcome(work());
  await vi.advanceTimersByTimeAsync(ms);
  return found;
}

function openOwn(): Promise<Engine> {
  return open(`sqlite:${databaseFile(SCRIPT)}`, {
    models: { endless: { key: ['i'] } },
    acceleration: { replyCache: false, singleFlight: false },
  });
}

describe('readers that are stopped', () => {
  let shared: Engine;
  beforeAll(async () => {
    shared = await openOwn();
  });

  it('cost a query no more than its time limit, and are replaced', async () => {
    expect(await outcome(ask(shared, PAGE))).toBe('answered');
    await stopReaders();
    const before = new Set(running());
    expect(await outcomeAfter(60_000, () => ask(shared, PAGE))).toBe('query_timeout');
    expect(await outcome(ask(shared, PAGE))).toBe('answered');
    expect(running().some((pid) => !before.has(pid))).toBe(true);
  });

  it('fail a ping while they are idle, and it is answered once they go on', async () => {
    await shared.ping();
    await stopReaders();
    expect(await outcomeAfter(3000, () => shared.ping())).toBe('database_unavailable');
    for (const pid of running()) process.kill(pid, 'SIGCONT');
    await expect.poll(() => outcome(shared.ping())).toBe('answered');
  });

  it('fail a ping while all have queries, which readers that are merely busy do not', async () => {
    const engine = await openOwn();
    const leaver = new AbortController();
    const call = { signal: leaver.signal };
    const busy = Array.from({ length: 10 }, (_, index) => {
      const body = bodyOf({ model: 'endless', attributes: ['i'], size: index + 1 });
      return outcome(engine.query(body, EVERYTHING, call));
    });
    expect(await outcomeAfter(2000, () => engine.ping())).toMatch(/^(answered|overloaded)$/);
    await stopReaders();
    expect(await outcomeAfter(3000, () => engine.ping())).toBe('database_unavailable');
    vi.useRealTimers();
    leaver.abort();
    expect(await Promise.all(busy)).not.toContain('answered');
    await expect.poll(() => outcome(engine.ping())).toBe('answered');
  });
});

describe.skipIf(process.platform !== 'linux')('a reader process', () => {
  it('knows no secret of the server: not by its environment, its arguments or its open files', async () => {
    const path = databaseFile(SCRIPT);
    vi.stubEnv('DATABASE_URL', 'postgres://user:canary@host/shop');
    vi.stubEnv('DYNAMIC_QUERY_ADMIN_TOKEN', 'canary');
    vi.stubEnv('NODE_OPTIONS', '--title=canary');
    vi.stubEnv('TZ', 'Europe/Zurich');
    const secret = openSync(databaseFile(), 'r');
    const before = new Set(running());
    await open(`sqlite:${path}`);
    const readers = running().filter((pid) => !before.has(pid));
    expect(readers.length).toBeGreaterThan(0);
    for (const pid of readers) {
      const read = (name: string): string => readFileSync(`/proc/${pid}/${name}`, 'utf8');
      expect(`${read('environ')} ${read('cmdline')}`).not.toContain('canary');
      expect(read('environ')).toContain('TZ=Europe/Zurich');
      expect(['0', '1'].map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`))).toEqual([
        '/dev/null',
        '/dev/null',
      ]);
      const files = readdirSync(`/proc/${pid}/fd`).map((fd) => fileOf(`/proc/${pid}/fd/${fd}`));
      expect(files).not.toContain(readlinkSync(`/proc/${process.pid}/fd/${secret}`));
    }
    closeSync(secret);
  });

  it('leaves its compiled code to the next one, although it is killed', async () => {
    const folder = mkdtempSync(join(directory, 'compiled-'));
    vi.stubEnv('NODE_COMPILE_CACHE', folder);
    const files = (): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const before = files().length;
    await (await open(`sqlite:${databaseFile(SCRIPT)}`)).close();
    expect(files().length).toBeGreaterThan(before + 10);
  });
});

import { type Acceleration, type Engine, EVERYTHING } from '@proj/engine';
import { beforeRelease, type PostgresServer, startPostgres, until } from '@proj/test-servers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { open } from '../open.ts';
import { DataByVersion } from '../data-by-version.ts';
import { RESTLESS_TABLE, writeRestlessly } from './restless-writers.ts';

const MECHANISMS_OFF: Partial<Acceleration> = {
  totalCache: false,
  pageIndex: false,
  replyCache: false,
  singleFlight: false,
};

/** So many versions are seen, and seen again. */
const VERSIONS = beforeRelease ? 40 : 6;

/** Waits until reads saw many versions again, which takes longer on a busy machine. */
function untilSeen(data: DataByVersion, versions: number): Promise<void> {
  return until(() => data.versions >= versions && data.seenAgain >= versions);
}

/** A standby has no version while it waits for the end of a transaction, as after some writing. */
async function restingVersionOn(engine: Engine | undefined): Promise<string> {
  let version: string | undefined;
  await until(async () => (version = await versionOn(engine)) !== undefined);
  return version ?? '';
}

async function versionOn(engine: Engine | undefined): Promise<string | undefined> {
  const body = { query_model: 'restless', query_attributes: ['id'], page: { page: 1, size: 1 } };
  return (await engine?.query(body, EVERYTHING))?.version;
}

/** Has others write to a server between reads. */
function write({ url }: PostgresServer, data: DataByVersion, signal: AbortSignal): Promise<void> {
  return writeRestlessly(url, { signal, reads: () => data.reads });
}

describe('the versions of a PostgreSQL standby', () => {
  let primary: PostgresServer;
  let standby: PostgresServer;
  let engines: readonly Engine[];
  beforeAll(async () => {
    primary = await startPostgres({
      settings: { wal_keep_size: '256MB', wal_writer_delay: '10s' },
    });
    await primary.client(RESTLESS_TABLE);
    standby = await primary.startStandby();
    engines = await Promise.all(
      [MECHANISMS_OFF, MECHANISMS_OFF, {}].map((acceleration) =>
        open(standby.url, { acceleration, queryTimeoutMs: 60_000 }),
      ),
    );
  });
  afterAll(() => Promise.all([primary.stop(), standby.stop()]));

  /** Reads the standby while others write, and what they do beside. */
  async function readWhile(
    work: (data: DataByVersion) => Promise<unknown>,
  ): Promise<DataByVersion> {
    const data = new DataByVersion();
    const ended = new AbortController();
    const reading = engines.flatMap((engine) =>
      [1, 2].map(() => data.readWith(engine, 'restless', ended.signal)),
    );
    const working = [write(primary, data, ended.signal), work(data)];
    await Promise.race(working).finally(() => ended.abort());
    await Promise.all([...reading, ...working]);
    return data;
  }

  it('are equal for equal data in all processes, and others than those of its primary', async () => {
    const [one, two] = await Promise.all(engines.map(restingVersionOn));
    expect(one).toMatch(/^[\w-]{22}$/);
    expect(two).toBe(one);
    const onPrimary = await Promise.all([open(primary.url), open(primary.url)]);
    const [primarys, others] = await Promise.all(onPrimary.map(versionOn));
    expect(primarys).toMatch(/^[\w-]{22}$/);
    expect(others).toBe(primarys);
    expect(primarys).not.toBe(one);
  });

  it('are never equal for different data while others write to the primary', async () => {
    const data = await readWhile((found) => untilSeen(found, VERSIONS));
    expect(data.differing).toEqual([]);
  });

  it('are not asked for where the URL asks for a primary, until it is one', async () => {
    const url = `${standby.url}?target_session_attrs=primary`;
    await expect(open(url)).rejects.toMatchObject({
      code: 'database_unavailable',
      message: expect.stringContaining('is a standby') as string,
    });
    await expect(open(`${standby.url}?target_session_attrs=master`)).rejects.toThrow(
      'database: target_session_attrs is none of any, primary, read-write.',
    );
    const onAny = await open(url.replace('primary', 'any'));
    expect(await restingVersionOn(onAny)).toMatch(/^[\w-]{22}$/);
    const onPrimary = await open(`${primary.url}?target_session_attrs=read-write`);
    expect(await versionOn(onPrimary)).toMatch(/^[\w-]{22}$/);
  });

  it('are never equal for different data before and after a promotion under load', async () => {
    const before = await restingVersionOn(engines[0]);
    const data = await readWhile(async (found) => {
      await untilSeen(found, VERSIONS / 2);
      await standby.client('select pg_promote()');
      const ended = new AbortController();
      const writing = write(standby, found, ended.signal);
      await Promise.race([untilSeen(found, found.versions + 2 * VERSIONS), writing]);
      ended.abort();
      await writing;
    });
    expect(data.differing).toEqual([]);
    expect(await restingVersionOn(engines[0])).not.toBe(before);
    const promoted = await open(`${standby.url}?target_session_attrs=primary`);
    expect(await versionOn(promoted)).toMatch(/^[\w-]{22}$/);
  });
});

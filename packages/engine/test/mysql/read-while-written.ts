import { setTimeout as sleep } from 'node:timers/promises';

import { until } from '@proj/test-servers';

import { Connection } from '../../src/sources/mysql/connection/connection.ts';
import { SnapshotVersions } from '../../src/sources/mysql/versions/snapshot-versions.ts';
import { readMysqlUrl } from '../../src/sources/mysql/connection/url.ts';
import { DataByVersion } from '../data-by-version.ts';
import { LOOKS, writeRestlessly } from './restless-writers.ts';

/** For how long a test reads at least; the ordinary run is short. */
export const SECONDS = Number(process.env['VERSIONS_SECONDS'] ?? 2);
export const TIMEOUT_MS = SECONDS * 2000 + 120_000;

/** How many read each server. */
const READERS = 3;

/** The addresses of servers with the same table of restless rows. */
export interface Servers {
  readonly read: readonly string[];
  readonly written: readonly string[];
}

/** What happens meanwhile: reading goes on until it has ended, at least. */
export type Beside = (signal: AbortSignal) => Promise<void>;

/** Reads servers while others write to them, or to those from which they get what is written. */
export async function readWhileWritten(
  { read, written }: Servers,
  beside: Beside = () => sleep(SECONDS * 1000),
): Promise<DataByVersion> {
  const ended = new AbortController();
  const { signal } = ended;
  const data = new DataByVersion();
  const readers = Array.from({ length: READERS }, () => read).flat();
  const all = [
    ...readers.map((url) => readAll(url, data, signal)),
    ...written.map((url) => writeRestlessly(url, signal)),
  ];
  const enough = Promise.all([beside(signal), seeEnough(data)]);
  await Promise.race([enough, ...all]).finally(() => ended.abort());
  await Promise.all(all);
  const snapshots = data.without + data.seenAgain + data.versions;
  console.info(
    `${snapshots} snapshots: ${data.versions} versions, ${data.seenAgain} seen again, ` +
      `${data.without} without, ${data.differing.length} differ.`,
  );
  return data;
}

/** On a busy machine there is often somebody who writes, and then there is no version. */
function seeEnough(data: DataByVersion): Promise<void> {
  return until(() => data.versions > 10 && data.seenAgain > 10);
}

/** Looks at the table in one snapshot after the other; a table is altered under some of them. */
async function readAll(url: string, data: DataByVersion, signal: AbortSignal): Promise<void> {
  const connection = await Connection.open(readMysqlUrl(url));
  const versions = new SnapshotVersions();
  const work = async (): Promise<string> => {
    const seen: unknown[] = [];
    for (const sql of LOOKS) seen.push(await connection.command(sql));
    return JSON.stringify(seen);
  };
  while (!signal.aborted) {
    const read = await versions
      .read(connection, { work, relations: [['restless']] })
      .catch(() => undefined);
    if (read !== undefined) data.note(read.version, read.value);
  }
  connection.destroy();
}

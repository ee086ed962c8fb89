import { beforeRelease, until } from '@proj/test-servers';

import { Connection } from '../../../mysql/src/connection/connection.ts';
import { unversioned } from '../../../engine/src/sources/reads/snapshot.ts';
import { SnapshotVersions } from '../../../mysql/src/versions/snapshot-versions.ts';
import { readMysqlUrl } from '../../../mysql/src/connection/url.ts';
import { DataByVersion } from '../data-by-version.ts';
import { ALL_LOOKS, LOOKS, writeRestlessly } from './restless-writers.ts';

/** How many snapshots have a version that is new, and one that was seen before, at least. */
const ENOUGH = Number(process.env['VERSIONS_SEEN'] ?? (beforeRelease ? 1000 : 15));

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
  beside: Beside = async () => undefined,
): Promise<DataByVersion> {
  const ended = new AbortController();
  const { signal } = ended;
  const data = new DataByVersion();
  // One after the other: on a busy machine many at once would take too long.
  const readers: Connection[] = [];
  for (const url of Array.from({ length: READERS }, () => read).flat())
    readers.push(await Connection.open(readMysqlUrl(url)));
  const pause = (reads: number): Promise<void> => {
    const end = data.reads + reads;
    return until(() => signal.aborted || data.reads >= end);
  };
  const all = [
    ...readers.map((reader) => readAll(reader, data, signal)),
    ...written.map((url) => writeRestlessly(url, { signal, pause })),
  ];
  const enough = Promise.all([beside(signal), seeEnough(data)]);
  await Promise.race([enough, ...all]).finally(() => ended.abort());
  await Promise.all(all);
  console.info(
    `${data.reads} snapshots: ${data.versions} versions, ${data.seenAgain} seen again, ` +
      `${data.without} without, ${data.differing.length} differ.`,
  );
  return data;
}

/** The limit of the test is the only one: how many are seen in a minute is up to the machine. */
function seeEnough(data: DataByVersion): Promise<void> {
  return until(() => data.versions >= ENOUGH && data.seenAgain >= ENOUGH, Infinity);
}

/** Looks at the table in one snapshot after the other; a table is altered under some of them. */
async function readAll(
  connection: Connection,
  data: DataByVersion,
  signal: AbortSignal,
): Promise<void> {
  const versions = new SnapshotVersions();
  const relations = [['restless']];
  const lookBy = (statements: readonly string[]) => async () => {
    const seen: unknown[] = [];
    for (const sql of statements) seen.push(await connection.command(sql));
    return unversioned({ seen: JSON.stringify(seen.flat(2)) });
  };
  const [inSnapshot, atOnce] = [lookBy(LOOKS), lookBy([ALL_LOOKS])];
  while (!signal.aborted) {
    for (const look of [
      () => versions.read(connection, { work: inSnapshot, relations }),
      () => versions.readLatest(connection, { work: atOnce, relations }),
    ]) {
      const read = await look().catch(() => undefined);
      if (read !== undefined) data.note(read.version, read.seen);
    }
  }
  connection.destroy();
}

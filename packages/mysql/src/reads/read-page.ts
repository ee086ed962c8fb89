import { performance } from 'node:perf_hooks';

import {
  type Asked,
  bind,
  type Found,
  QueryFailedError,
  Reads,
  type RelationPath,
  type RowsRead,
  type RowsStatement,
  type Snapshot,
  type SnapshotTerms,
  type Statement,
  type Versioned,
} from '@proj/engine/database';

import type { Connection } from '../connection/connection.ts';
import { isSnapshotTooOld } from '../connection/errors.ts';
import type { SnapshotVersions } from '../versions/snapshot-versions.ts';
import { encodeRows } from '../values/encode.ts';

/** Retries of an empty page after rows appear. In a view with random rows they come and go. */
const MAX_ATTEMPTS = 20;

/** MariaDB takes no larger parameter, and no table has more rows. */
const LARGEST_LIMIT = 2n ** 63n - 1n;

const MAX_SNAPSHOTS = 3;

export interface Session {
  readonly connection: Connection;
  readonly versions: SnapshotVersions;
  /** Whether every change of the relations' rows changes the version. */
  readonly isVersioned: (relations: readonly RelationPath[]) => boolean;
}

export async function readPage(session: Session, page: Asked<'page'>): Promise<Found<'page'>> {
  const started = performance.now();
  if (!('query' in page)) {
    // The total is known at a version. Undefined where the rows can't be of it.
    const { connection, versions } = session;
    const work = (): Promise<RowsRead> => readRows(connection, page);
    const read = await versions.readLatest(connection, { work, relations: page.relations });
    return Reads.timed(read ?? { json: '[]', rows: 0, version: undefined }, started);
  }
  const { query } = page;
  if (Reads.isDeep(page) && query.reversed !== undefined)
    return readTogether(session, query, (snapshot) => Reads.readFromNearerEnd(snapshot, page));
  return readAlone(session, query, () => readAtOnce(session.connection, page));
}

/** A statement sees one state by itself; in a transaction only where its version is wanted. */
export async function readAlone<Read extends Versioned>(
  session: Session,
  { relations }: SnapshotTerms,
  read: () => Promise<Read>,
): Promise<Read> {
  const wanted = versionedRelations(session, { relations });
  return wanted === undefined ? read() : readTogether(session, { relations }, read);
}

export async function readTogether<Read extends Versioned>(
  session: Session,
  query: SnapshotTerms,
  read: (snapshot: Snapshot) => Promise<Read>,
): Promise<Read> {
  const { connection, versions } = session;
  const relations = versionedRelations(session, query);
  const work = (): Promise<Read> => read(snapshotOf(connection));
  const { lock } = query;
  for (let attempt = 1; ; attempt++) {
    try {
      return await versions.read(connection, { work, relations, lock });
    } catch (error) {
      // The table is missing from older snapshots.
      if (!isSnapshotTooOld(error) || attempt === MAX_SNAPSHOTS) throw error;
    }
  }
}

export function versionedRelations(
  { connection, versions, isVersioned }: Session,
  { relations }: SnapshotTerms,
): readonly RelationPath[] | undefined {
  const isWanted = relations !== undefined && isVersioned(relations);
  return isWanted && versions.isWorthIt(connection) ? relations : undefined;
}

/**
 * An empty page brings no total, so records are then counted, up to one more than come before it:
 * a lower count proves the page empty, otherwise rows were added, and the page is read again.
 */
async function readAtOnce(
  connection: Connection,
  page: Asked<'pages'>[number],
): Promise<Found<'page'>> {
  const { query, range, countLimit = 0, isOfRecord = false } = page;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const started = performance.now();
    const read = await readRows(connection, Reads.pageStatement(page));
    const isCounted = page.countLimit !== 0 && range.offset > 0n && !isOfRecord;
    if (read.rows > 0 || !isCounted) return Reads.timed(read, started);
    const readAt = performance.now();
    const most = range.offset < countLimit ? BigInt(countLimit) : range.offset;
    const count = String(most < LARGEST_LIMIT ? most + 1n : most);
    const counting = bind(query.count, { limit: '0', offset: '0', count });
    const total = await readCount(connection, counting);
    if (total <= range.offset)
      return Reads.timed({ ...read, numbers: [total] }, started, performance.now() - readAt);
  }
  throw new QueryFailedError(
    'database_unavailable',
    'Rows were added faster than the page could be read.',
  );
}

/** A value may take this much more in a row than in JSON, as a digit does; so may a row's frame. */
const CELL_BYTES = 16;

/** A reply's column descriptions take less than this. */
const REPLY_BYTES = 2 ** 20;

function snapshotOf(connection: Connection): Snapshot {
  return {
    rows: (read) => readRows(connection, read),
    count: (count) => readCount(connection, count),
    row: async (statement) => (await connection.execute(statement))[0],
    version: async () => undefined,
  };
}

/** Sends numbers as texts: MySQL refuses the doubles that the driver makes of them. */
async function readRows(connection: Connection, rows: RowsStatement): Promise<RowsRead> {
  const { statement, bindings, fields, maxBytes, reversed, oneMore = false } = rows;
  const { size, offset, count, ...key } = bindings;
  const texts = { limit: String(size), offset: String(offset), count: String(count) };
  const read = await connection.execute(
    bind(statement, { ...texts, ...key }),
    maxBytes + CELL_BYTES * (fields.length + 2) * size + REPLY_BYTES,
  );
  const shown = oneMore ? read.slice(0, size - 1) : read;
  return {
    json: encodeRows(reversed ? shown.toReversed() : shown, rows),
    rows: read.length,
    version: undefined,
    numbers: read[0]
      ?.slice(fields.length)
      .map((cell) => (cell === null ? null : BigInt(cell as string | number))),
  };
}

export async function readCount(connection: Connection, count: Statement): Promise<bigint> {
  const [[total] = []] = await connection.execute(count);
  return BigInt(String(total));
}

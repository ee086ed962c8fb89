import { performance } from 'node:perf_hooks';

import {
  type Asked,
  type Found,
  QueryFailedError,
  Reads,
  type RelationPath,
  type Snapshot,
  type SnapshotTerms,
  type Versioned,
} from '@proj/engine/database';

import type { Connection } from '../connection/connection.ts';
import { encodeRows } from '../values/encode.ts';
import { isSnapshotTooOld } from '../connection/errors.ts';
import { execute, readCount, readRows, snapshotOf } from './snapshot.ts';
import type { SnapshotVersions } from '../versions/snapshot-versions.ts';

/**
 * How often rows may appear between the two statements of an empty page. Of a view that asks for
 * chance, the page at its end may appear and vanish each time.
 */
const MAX_ATTEMPTS = 20;

/** How often a table may be emptied or altered while it is read. */
const MAX_SNAPSHOTS = 3;

/** A connection, and what is known of the versions of what is read on it. */
export interface Session {
  readonly connection: Connection;
  readonly versions: SnapshotVersions;
  /** Whether each change of the relations' rows changes the version. */
  readonly isVersioned: (relations: readonly RelationPath[]) => boolean;
}

/** Reads a page and its total from one state of the data. */
export async function readPage(session: Session, page: Asked<'page'>): Promise<Found<'page'>> {
  const { query, range } = page;
  const { connection } = session;
  const isDeep = range.offset > Reads.DEEP_OFFSET && query.reversed !== undefined;
  if (!isDeep) return readStatement(session, query, () => readPageWithTotal(connection, page));
  const { pages, version } = await readBatch(session, [page]);
  const [read] = pages;
  if (read === undefined) throw new Error('A batch without pages was read.');
  return { ...read, version };
}

/**
 * Reads several pages of lists that have one total from one snapshot. A table that is emptied or
 * altered meanwhile may show nothing of itself to older snapshots; then each page is read in a
 * statement of its own.
 */
export async function readBatch(
  session: Session,
  pages: readonly Asked<'page'>[],
): Promise<Found<'pages'>> {
  const { connection, versions } = session;
  const [first] = pages;
  const relations = first && versionedRelations(session, first.query);
  const work = () => Reads.readPages(snapshotOf(connection), pages);
  try {
    const { lock } = first?.query ?? {};
    return await versions.read(connection, { work, relations, lock });
  } catch (error) {
    if (!isSnapshotTooOld(error)) throw error;
  }
  const read: Found<'page'>[] = [];
  for (const page of pages) read.push(await readPageWithTotal(connection, page));
  return { pages: read, version: undefined };
}

/** Does work in one snapshot of the relations of a query. What it returns has its version. */
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
      // Such a table shows nothing of itself to older snapshots.
      if (!isSnapshotTooOld(error) || attempt === MAX_SNAPSHOTS) throw error;
    }
  }
}

/** Does work of one statement, which sees one state by itself. What it returns has its version. */
export async function readStatement<Read extends Versioned>(
  session: Session,
  { relations }: SnapshotTerms,
  work: () => Promise<Read>,
): Promise<Read> {
  if (!needsVersion(session, { relations })) return work();
  return session.versions.read(session.connection, { work, relations });
}

/** Reads the page that holds a record in one statement, whose rows each carry its place. */
export async function readRecordPage(
  connection: Connection,
  page: Asked<'recordPage'>,
): Promise<Found<'recordPage'>> {
  const started = performance.now();
  const read = await execute(connection, { template: page.statement, ...page }, page.bindings);
  const [first] = read;
  const [total, rank] = (first?.slice(-2) ?? []) as (string | number | null)[];
  const milliseconds = { rows: performance.now() - started, count: 0 };
  const json = encodeRows(read, page);
  const place = Reads.placeOfRecord(page, { total, rank });
  return { json, rows: read.length, version: undefined, ...place, milliseconds };
}

/**
 * Reads the rows of a page whose total is known at a version; none where they cannot be of it.
 */
export async function readVersionedRows(
  session: Session,
  rows: Asked<'rows'>,
): Promise<Found<'rows'>> {
  const { connection, versions } = session;
  const work = (): Promise<Found<'rows'>> => readRows(connection, rows);
  const read = await versions.readLatest(connection, { work, relations: rows.relations });
  return read ?? { json: '[]', rows: 0, version: undefined };
}

/** The relations, where they are read with the version of their data. */
export function versionedRelations(
  session: Session,
  read: SnapshotTerms,
): readonly RelationPath[] | undefined {
  return needsVersion(session, read) ? read.relations : undefined;
}

/** Whether a page is read with the version of its data. */
export function needsVersion(
  { connection, versions, isVersioned }: Session,
  { relations }: SnapshotTerms,
): boolean {
  return relations !== undefined && isVersioned(relations) && versions.isWorthIt(connection);
}

/**
 * Reads a page with its total in one statement, whose rows each carry the total. A page without
 * rows brings none, so the records are counted then: a total that does not reach the page proves by
 * itself that the page is empty. Should it reach the page, rows were added since, and the page is
 * read again.
 */
async function readPageWithTotal(
  connection: Connection,
  page: Asked<'page'>,
): Promise<Found<'page'>> {
  return whileRowsAppear(() => tryPageWithTotal(connection, page));
}

/** Reads a page again as long as rows appear on it after it was found to be empty. */
export async function whileRowsAppear<Read>(read: () => Promise<Read | undefined>): Promise<Read> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const page = await read();
    if (page !== undefined) return page;
  }
  throw new QueryFailedError(
    'database_unavailable',
    'Rows were added faster than the page could be read.',
  );
}

async function tryPageWithTotal(
  connection: Connection,
  { query, range }: Asked<'page'>,
): Promise<Found<'page'> | undefined> {
  const { pageWithTotal, count } = query;
  if (pageWithTotal === undefined)
    throw new Error('A list of this database has a statement for rows and total.');
  const started = performance.now();
  const read = await execute(connection, { template: pageWithTotal, ...query }, range);
  const readAt = performance.now();
  const [first] = read;
  if (first !== undefined) {
    const json = encodeRows(read, query);
    const milliseconds = { rows: performance.now() - started, count: 0 };
    const total = BigInt(String(first.at(-1)));
    return { json, rows: read.length, version: undefined, total, milliseconds };
  }
  const total = range.offset === 0n ? 0n : await readCount(connection, count);
  if (total > range.offset) return undefined;
  const milliseconds = { rows: readAt - started, count: performance.now() - readAt };
  return { json: '[]', rows: 0, version: undefined, total, milliseconds };
}

/** Node can't interrupt a statement of SQLite, not even in a worker, but it can kill a process. */
import { flushCompileCache } from 'node:module';

import {
  type Found,
  Lists,
  Pools,
  Reads,
  type Snapshot,
  type WholeListStatements,
} from '@proj/engine/database';

import {
  describeError,
  type ProgressTaken,
  type ReaderError,
  type ReaderFinding,
  type ReaderMessage,
  type ReaderProgress,
  type ReaderReply,
  type ReaderRequest,
  relationsOf,
  reportStatements,
  StaleConnectionError,
  UnreadableFileError,
} from './connection/reader-protocol.ts';
import { facetValues } from './facets/facet-values.ts';
import { collated } from './introspection/collations.ts';
import { introspect } from './introspection/introspect.ts';
import { watchParent } from './connection/parent-watch.ts';
import { estimateSort, readKeys } from './reads/read-keys.ts';
import { Session } from './reads/session.ts';
import { describeWalRemedy } from './reads/wal-remedy.ts';

const [path = ''] = process.argv.slice(2);

/** SQLITE_READONLY and SQLITE_CANTOPEN, for missing side files: https://sqlite.org/rescode.html */
const NEEDS_FOLDER = new Set([8, 14]);

let session: Session | undefined;

// The server usually kills this process, which skips writing the compile cache at exit.
flushCompileCache();

let onTaken = (): void => {};

process.on('message', (message: ReaderMessage | ProgressTaken) => {
  if ('taken' in message) onTaken();
  else void reply(message);
});
process.on('disconnect', () => process.exit());
watchParent();
// The terminal sends Ctrl-C to the whole group; the server stops its readers itself.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});

async function reply(message: ReaderMessage): Promise<void> {
  const traced = message.traced === true;
  const answered = traced ? await reportStatements(() => answer(message)) : await answer(message);
  const replyBytes = replyBytesOf(answered);
  if (replyBytes > Pools.SMALL_REPLY_BYTES) await sendProgress({ replyBytes });
  process.send?.(answered);
}

function replyBytesOf(answered: ReaderReply): number {
  if (!answered.ok) return 0;
  const value = answered.value as Partial<Found<'page'> & Found<'pages'>> | undefined;
  const pages: readonly Partial<Found<'page'>>[] = value?.pages ?? [value ?? {}];
  return pages.reduce((sum, { json = '' }) => sum + json.length, 0);
}

function sendProgress(progress: ReaderProgress['progress']): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  onTaken = resolve;
  process.send?.({ progress } satisfies ReaderProgress);
  return promise;
}

async function answer(message: ReaderMessage): Promise<ReaderReply> {
  try {
    return { ok: true, ...(await read(message)) };
  } catch (error) {
    return { ok: false, ...readerErrorOf(error) };
  }
}

async function read(message: ReaderMessage): Promise<ReaderFinding> {
  try {
    return await readOnce(message);
  } catch (error) {
    if (!(error instanceof StaleConnectionError)) throw error;
    disconnect();
    return readOnce(message);
  }
}

async function readOnce({ generation, request }: ReaderMessage): Promise<ReaderFinding> {
  if (session?.generation !== generation) disconnect();
  const current = (session ??= new Session(path, generation));
  const relations = relationsOf(request);
  return current.read(async (snapshot) => ({
    value: await valueOf(request, snapshot, current),
    versioned: relations !== undefined && current.isVersioned(relations),
  }));
}

function disconnect(): void {
  session?.close();
  session = undefined;
}

async function valueOf(
  request: ReaderRequest,
  snapshot: Snapshot,
  current: Session,
): Promise<unknown> {
  switch (request.kind) {
    case 'list':
      return sendList(request.list, snapshot, current);
    case 'introspect':
      return introspect(current.database);
    case 'columns':
      return collated(current.database, request.sql, current.prepare(request.sql).columns());
    case 'ping':
      return current.prepare('select count(*) from sqlite_schema').get();
    case 'keys':
      return Reads.unversioned({ rows: readKeys(current, request.asked) });
    case 'sort':
      return Reads.unversioned(estimateSort(current, request.asked));
    default:
      return Reads.readInSnapshot(snapshot, request, facetValues);
  }
}

/** Closes the connection first: its cache may be wrong, and the remedy needs the file closed. */
function readerErrorOf(error: unknown): ReaderError {
  const failure = describeError(error);
  const mayLackFolder = failure.errcode !== undefined && NEEDS_FOLDER.has(failure.errcode & 0xff);
  if (mayLackFolder || error instanceof UnreadableFileError) disconnect();
  return mayLackFolder
    ? { ...failure, message: describeWalRemedy(path) ?? failure.message }
    : failure;
}

/** Reads a whole list at the speed of its reader. */
async function sendList(
  list: WholeListStatements,
  snapshot: Snapshot,
  current: Session,
): Promise<void> {
  const sink: Lists.ListSink = {
    begin: ({ total, misfit }) =>
      sendProgress({ total, versioned: current.isVersioned(list.relations), misfit }),
    write: (lines) => sendProgress({ lines }),
  };
  await Lists.readList(snapshot, { list, sink });
}

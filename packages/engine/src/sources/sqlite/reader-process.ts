/**
 * A process that reads one SQLite file for the server. A statement of SQLite cannot be interrupted
 * from Node, neither in the main thread nor in a worker; a process can be killed at any moment, and
 * a reader has nothing to lose.
 */
import { flushCompileCache } from 'node:module';

import {
  type ListProgress,
  type ProgressTaken,
  type ReaderError,
  type ReaderFinding,
  type ReaderMessage,
  type ReaderProgress,
  type ReaderReply,
  type ReaderRequest,
  type ReaderValues,
  relationOf,
} from './reader-protocol.ts';
import { introspect } from './introspect.ts';
import { watchParent } from './parent-watch.ts';
import { reportStatements } from './statement-report.ts';
import { Session } from './session.ts';
import { describeError, StaleConnectionError, UnreadableFileError } from './reader-errors.ts';
import type { Snapshot } from '../source.ts';
import { readRecord } from '../record.ts';
import { readPages } from '../snapshot.ts';
import { estimateSort, readKeys } from './read-keys.ts';
import { readFacets } from './read-facets.ts';
import { readBounded, readPage } from './read-page.ts';
import { sendList } from './send-list.ts';
import { describeWalRemedy } from './wal-remedy.ts';

const [path = ''] = process.argv.slice(2);

/**
 * Primary result codes of a file whose side files cannot be made, SQLITE_READONLY and
 * SQLITE_CANTOPEN: https://sqlite.org/rescode.html
 */
const NEEDS_FOLDER = new Set([8, 14]);

let session: Session | undefined;

// It is rather killed than that it ends by itself, which would leave compiled code to the next one.
flushCompileCache();

/** Runs when the server has taken the last progress. */
let onTaken = (): void => {};

process.on('message', (message: ReaderMessage | ProgressTaken) => {
  if ('taken' in message) onTaken();
  else void reply(message);
});
process.on('disconnect', () => process.exit());
watchParent();
// The terminal sends Ctrl-C to the whole group; the server decides when its readers stop.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});

async function reply(message: ReaderMessage): Promise<void> {
  const traced = message.traced === true;
  const answered = traced ? await reportStatements(() => answer(message)) : await answer(message);
  process.send?.(answered);
}

function sendProgress(progress: ListProgress): Promise<void> {
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

type Value = ReaderValues[keyof ReaderValues];

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
  const relation = relationOf(request);
  return current.read(async (snapshot) => ({
    value: await valueOf(request, snapshot, current),
    versioned: relation !== undefined && current.isVersioned(relation),
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
): Promise<Value> {
  switch (request.kind) {
    case 'page':
      return readPage(snapshot, request.page);
    case 'batch':
      return readPages(snapshot, request.pages);
    case 'bounded':
      return readBounded(snapshot, request.page);
    case 'record':
      return readRecord(snapshot, request.asked);
    case 'facets':
      return readFacets(current, request.facets);
    case 'rows':
      return snapshot.rows(request.rows);
    case 'row':
      return snapshot.row(request.row);
    case 'count':
      return snapshot.count(request.count);
    case 'list':
      await sendList(request.list, { session: current, snapshot, send: sendProgress });
      return undefined;
    case 'keys':
      return readKeys(current, request.keys);
    case 'sort':
      return estimateSort(current, request.keys);
    case 'introspect':
      return introspect(current.database);
    case 'ping':
      return current.prepare('select count(*) from sqlite_schema').get();
  }
}

/**
 * The connection is closed first: what it keeps may be wrong, and none may be open while the remedy
 * is looked for.
 */
function readerErrorOf(error: unknown): ReaderError {
  const failure = describeError(error);
  const mayLackFolder = failure.errcode !== undefined && NEEDS_FOLDER.has(failure.errcode & 0xff);
  if (mayLackFolder || error instanceof UnreadableFileError) disconnect();
  return mayLackFolder
    ? { ...failure, message: describeWalRemedy(path) ?? failure.message }
    : failure;
}

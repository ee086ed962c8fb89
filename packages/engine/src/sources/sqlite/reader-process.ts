/**
 * A process that reads one SQLite file for the server. A statement of SQLite cannot be interrupted
 * from Node, neither in the main thread nor in a worker; a process can be killed at any moment, and
 * a reader has nothing to lose.
 */
import type {
  ReaderFailure,
  ReaderMessage,
  ReaderReply,
  ReaderRequest,
  ReaderValues,
} from './reader-protocol.ts';
import { introspect } from './introspect.ts';
import { watchParent } from './parent-watch.ts';
import { Session } from './session.ts';
import { describeError, StaleConnectionError, UnreadableFileError } from './reader-errors.ts';
import { readCount, readPage, readBatch, readRows } from './snapshot.ts';
import { describeWalRemedy } from './wal-remedy.ts';

const [path = ''] = process.argv.slice(2);

/**
 * Primary result codes of a file whose side files cannot be made, SQLITE_READONLY and
 * SQLITE_CANTOPEN: https://sqlite.org/rescode.html
 */
const NEEDS_FOLDER = new Set([8, 14]);

let connection: Session | undefined;

process.on('message', (message: ReaderMessage) => {
  process.send?.(answer(message));
});
process.on('disconnect', () => process.exit());
watchParent();
// The terminal sends Ctrl-C to the whole group; the server decides when its readers stop.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});

function answer(message: ReaderMessage): ReaderReply {
  try {
    return { ok: true, value: read(message) };
  } catch (error) {
    return { ok: false, ...failureOf(error) };
  }
}

function read(message: ReaderMessage): ReaderValues[keyof ReaderValues] {
  try {
    return readOnce(message);
  } catch (error) {
    if (!(error instanceof StaleConnectionError)) throw error;
    disconnect();
    return readOnce(message);
  }
}

function readOnce({ generation, request }: ReaderMessage): ReaderValues[keyof ReaderValues] {
  if (connection?.generation !== generation) disconnect();
  const current = (connection ??= new Session(path, generation));
  return current.read(() => valueOf(request, current));
}

function disconnect(): void {
  connection?.close();
  connection = undefined;
}

function valueOf(request: ReaderRequest, current: Session): ReaderValues[keyof ReaderValues] {
  switch (request.kind) {
    case 'page':
      return readPage(current, request.query, request.range);
    case 'pages':
      return readBatch(current, request.pages);
    case 'rows':
      return readRows(current, request.rows);
    case 'count':
      return readCount(current, request.count);
    case 'checkpoints':
      return {
        keys: current
          .prepare(request.checkpoints.sql)
          .all(...(request.checkpoints.parameters as bigint[])),
      };
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
function failureOf(error: unknown): ReaderFailure {
  const failure = describeError(error);
  const mayLackFolder = failure.errcode !== undefined && NEEDS_FOLDER.has(failure.errcode & 0xff);
  if (mayLackFolder || error instanceof UnreadableFileError) disconnect();
  return mayLackFolder
    ? { ...failure, message: describeWalRemedy(path) ?? failure.message }
    : failure;
}

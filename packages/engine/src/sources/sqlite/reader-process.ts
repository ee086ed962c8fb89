/**
 * A process that reads one SQLite file for the server. A statement of SQLite cannot be interrupted from Node, neither in the
 * main thread nor in a worker; a process can be killed at any moment, and a reader has nothing to lose.
 */
import { statSync } from 'node:fs';

import type { ReaderFailure, ReaderReply, ReaderRequest, ReaderValues } from './reader-protocol.ts';
import { introspect } from './introspect.ts';
import { endWithParent } from './parent-watch.ts';
import { PrepareError, ReaderConnection } from './reader-connection.ts';
import { readCount, readPageInSnapshot, readPagesInSnapshot, readRows } from './snapshot.ts';

const [path = ''] = process.argv.slice(2);
let connection: ReaderConnection | undefined;

process.on('message', (request: ReaderRequest) => {
  process.send?.(answer(request));
});
process.on('disconnect', () => process.exit());
endWithParent();
// The terminal sends Ctrl-C to the whole group; the server decides when its readers stop.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});

function answer(request: ReaderRequest): ReaderReply {
  try {
    return { ok: true, value: valueOf(request, connect()) };
  } catch (error) {
    return { ok: false, ...described(error) };
  }
}

function valueOf(request: ReaderRequest, current: ReaderConnection): ReaderValues[keyof ReaderValues] {
  switch (request.kind) {
    case 'page':
      return readPageInSnapshot(current, request.list, request.window);
    case 'pages':
      return readPagesInSnapshot(current, request.pages);
    case 'rows':
      return readRows(current, request.rows);
    case 'count':
      return readCount(current, request.count);
    case 'anchors':
      return { keys: current.prepare(request.anchors.sql).all(...(request.anchors.parameters as bigint[])) };
    case 'introspect':
      return introspect(current.database);
    case 'ping':
      return current.prepare('select count(*) from sqlite_schema').get();
  }
}

/** The open connection, made again when another file has taken the path's place. */
function connect(): ReaderConnection {
  const { dev, ino } = statSync(path, { bigint: true });
  const identity = `${dev}:${ino}`;
  if (connection?.identity !== identity) {
    connection?.database.close();
    connection = undefined;
    connection = new ReaderConnection(path, identity);
  }
  return connection;
}

function described(error: unknown): ReaderFailure {
  const preparing = error instanceof PrepareError;
  const reason: unknown = preparing ? error.cause : error;
  if (!(reason instanceof Error)) return { message: String(reason), errcode: undefined, code: undefined, preparing };
  const errcode = 'errcode' in reason && typeof reason.errcode === 'number' ? reason.errcode : undefined;
  const code = 'code' in reason && typeof reason.code === 'string' ? reason.code : undefined;
  return { message: reason.message, errcode, code, preparing };
}

import type { DatabaseKind } from '@proj/engine';

import type { DatabaseSource } from '../../engine/src/sources/source.ts';
import { toQueryError } from '../../sqlite/src/connection/errors.ts';
import { sqliteDialect } from '../../sqlite/src/dialect.ts';
import {
  describeComputed,
  describeSelection,
} from '../../sqlite/src/introspection/operator-sql.ts';
import { introspect } from '../../sqlite/src/introspection/introspect.ts';
import { jsonPlace } from '../../sqlite/src/introspection/json-places.ts';
import { describeError } from '../../sqlite/src/connection/reader-protocol.ts';
import { Session } from '../../sqlite/src/reads/session.ts';

/** A database of which the engine is given what it cannot do without: SQLite, read by this process. */
export const plainSqlite: DatabaseKind = {
  schemes: ['plain-sqlite'],
  example: 'plain-sqlite:/data/shop.db',
  open: async (url) => openPlain(url.replace(/^plain-sqlite:/, '')),
};

/** What only makes replies quicker is left out. */
const { keys: _keys, readsParts: _readsParts, ...dialect } = sqliteDialect;

function openPlain(path: string): DatabaseSource {
  const using = async <Value>(work: (session: Session) => Promise<Value>): Promise<Value> => {
    const session = new Session(path, 1);
    try {
      return await work(session);
    } catch (error) {
      const { errcode, ...failure } = describeError(error);
      throw errcode === undefined ? error : toQueryError({ errcode, ...failure });
    } finally {
      session.close();
    }
  };
  const columnsOf = (sql: string) => using(async (session) => session.prepare(sql).columns());
  return {
    dialect,
    introspect: () => using(async ({ database }) => introspect(database)),
    describe: (column) => describeComputed(column, columnsOf),
    jsonPlace,
    describeSelection: (selection) => describeSelection(selection, columnsOf),
    inSnapshot: (_terms, work) => using((session) => session.read(work)),
    close: async () => undefined,
  };
}

import {
  bind,
  type Field,
  Reads,
  type RowsRead,
  type RowsStatement,
  type Snapshot,
  type Statement,
  Texts,
} from '@proj/engine/database';

import type { Row } from '../connection/connection.ts';
import type { Ask } from '../connection/running-work.ts';
import type { SessionStatement } from '../connection/session.ts';

/**
 * The one snapshot that a transaction at REPEATABLE READ has for all of its statements.
 *
 * @param version reads the version of the data
 */
export function snapshotOf(ask: Ask, version: Statement): Snapshot {
  return {
    rows: async (read) => rowsOf(await ask(rowsStatement(read)), read.fields),
    count: async (statement, named = false) => countOf(await ask({ statement, named })),
    row: async (statement, named = false) => {
      const row = await ask({ statement, named });
      return row.length === 0 ? undefined : row;
    },
    version: async () => (await ask({ statement: version, named: false }))[0] ?? undefined,
  };
}

/**
 * For a named statement PostgreSQL switches to a generic plan once custom plans are not cheaper on
 * average. After some deep pages that is so, and the generic plan would sort the whole table for
 * page 1. So statements of deep pages have no name and are planned each time, which costs little
 * compared with reading them.
 */
export function rowsStatement({
  statement,
  bindings: { size: limit, ...rest },
}: RowsStatement): SessionStatement {
  return {
    statement: bind(statement, { limit, ...rest }),
    named: rest.offset <= Reads.DEEP_OFFSET,
  };
}

export function rowsOf(row: Row, fields: readonly Field[]): RowsRead {
  const [json, rows, version, ...numbers] = row;
  const text = typeof json === 'string' && fields.some(holdsJson) ? Texts.minifyJson(json) : json;
  return {
    json: text ?? undefined,
    rows: Number(rows),
    version: version ?? undefined,
    numbers: numbers.map((number) => (number === null ? null : BigInt(number))),
  };
}

/** The JSON text of a record that came in a row of its own. */
export function recordOf(text: Row[number] | undefined, fields: readonly Field[]): string {
  const record = text ?? 'null';
  return fields.some(holdsJson) ? Texts.minifyJson(record) : record;
}

export function countOf([count]: Row): bigint {
  return BigInt(count ?? 0);
}

/** White space inside a JSON column travels from no database. */
function holdsJson({ type, items }: Field): boolean {
  return type === 'json' || items === 'json';
}

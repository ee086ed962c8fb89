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

export function snapshotOf(ask: Ask, version: Statement): Snapshot {
  return {
    rows: async (read) => rowsOf(await ask(rowsStatement(read)), read.fields),
    count: async (statement, named = false) => countOf(await ask({ ...statement, named })),
    row: async (statement, named = false) => {
      const row = await ask({ ...statement, named });
      return row.length === 0 ? undefined : row;
    },
    version: async () => (await ask(version))[0] ?? undefined,
  };
}

/**
 * Deep pages have no name, so they are planned each time: a named statement gets a generic plan
 * after some of them, which would sort the whole table for page 1.
 */
export function rowsStatement({
  statement,
  bindings: { size: limit, ...rest },
}: RowsStatement): SessionStatement {
  const named = rest.offset <= Reads.DEEP_OFFSET;
  return { ...bind(statement, { limit, ...rest }), named };
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

export function recordOf(text: Row[number] | undefined, fields: readonly Field[]): string {
  const record = text ?? 'null';
  return fields.some(holdsJson) ? Texts.minifyJson(record) : record;
}

export function countOf([count]: Row): bigint {
  return BigInt(count ?? 0);
}

/** No database keeps white space inside JSON columns. */
function holdsJson({ type, items }: Field): boolean {
  return type === 'json' || items === 'json';
}

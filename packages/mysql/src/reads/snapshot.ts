import {
  type Asked,
  bind,
  type Found,
  type Snapshot,
  type Statement,
  type Template,
} from '@proj/engine/database';

import type { Connection, Row } from '../connection/connection.ts';
import { encodeRows, type Encoding } from '../values/encode.ts';

/**
 * By so many bytes a value may be larger in a row than in JSON, such as a number of one digit; the
 * frame of a row takes no more.
 */
const CELL_BYTES = 16;

/** Beside the rows a reply describes its columns, in less than this. */
const REPLY_BYTES = 2 ** 20;

/** What the transaction of a connection sees. */
export function snapshotOf(connection: Connection): Snapshot {
  return {
    rows: (read) => readRows(connection, read),
    count: (count) => readCount(connection, count),
    row: async (statement) => (await connection.execute(statement))[0],
    version: async () => undefined,
  };
}

export async function readRows(
  connection: Connection,
  rows: Asked<'rows'>,
): Promise<Found<'rows'>> {
  const read = await execute(connection, { template: rows.statement, ...rows }, rows.bindings);
  return { json: encodeRead(read, rows), rows: read.length, version: undefined };
}

/** The JSON text of what a statement has read. */
export function encodeRead(read: readonly Row[], statement: Asked<'rows'>): string | undefined {
  const { reversed, oneMore = false, bindings } = statement;
  const shown = oneMore ? read.slice(0, bindings.size - 1) : read;
  return encodeRows(reversed ? shown.toReversed() : shown, statement);
}

export async function readCount(connection: Connection, count: Statement): Promise<bigint> {
  const [[total] = []] = await connection.execute(count);
  return BigInt(String(total));
}

interface PageTemplate extends Encoding {
  readonly template: Template;
}

/** The numbers are sent as texts: MySQL refuses the doubles that the driver makes of numbers. */
export function execute(
  connection: Connection,
  { template, fields, maxBytes }: PageTemplate,
  { size, offset, key, count }: Asked<'rows'>['bindings'],
): Promise<Row[]> {
  const range = { limit: String(size), offset: String(offset), count: String(count) };
  const statement = bind(template, key === undefined ? range : { ...range, key });
  return connection.execute(
    statement,
    maxBytes + CELL_BYTES * (fields.length + 2) * size + REPLY_BYTES,
  );
}

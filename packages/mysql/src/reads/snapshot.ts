import {
  bind,
  type RowsRead,
  type RowsStatement,
  type Snapshot,
  type Statement,
} from '@proj/engine/database';

import type { Connection, Row } from '../connection/connection.ts';
import { encodeRows } from '../values/encode.ts';

/** A value may take this much more in a row than in JSON, as a digit does; so may a row's frame. */
const CELL_BYTES = 16;

/** A reply's column descriptions take less than this. */
const REPLY_BYTES = 2 ** 20;

export function snapshotOf(connection: Connection): Snapshot {
  return {
    rows: (read) => readRows(connection, read),
    count: (count) => readCount(connection, count),
    row: async (statement) => (await connection.execute(statement))[0],
    version: async () => undefined,
  };
}

/** Sends numbers as texts: MySQL refuses the doubles that the driver makes of them. */
export async function readRows(connection: Connection, rows: RowsStatement): Promise<RowsRead> {
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
    numbers: read[0]?.slice(fields.length).map(numberOf),
  };
}

function numberOf(cell: Row[number]): bigint | null {
  return cell === null ? null : BigInt(cell as string | number);
}

export async function readCount(connection: Connection, count: Statement): Promise<bigint> {
  const [[total] = []] = await connection.execute(count);
  return BigInt(String(total));
}

import type { Statement } from '@proj/engine/database';

import type { Connection, Row } from './connection.ts';

/** Collects records into the row that one statement would give: JSON, count, no version. */
export async function collectRecords(
  connection: Pick<Connection, 'rows'>,
  statement: Statement,
  { reversed, maxBytes }: NonNullable<Statement['collects']>,
): Promise<Row> {
  const records: string[] = [];
  let bytes = 1;
  const rows = await connection.rows(statement, ([record]) => {
    const text = record ?? 'null';
    bytes += Buffer.byteLength(text) + 1;
    // An overlong list is read to its end, but not kept.
    if (bytes <= maxBytes) records.push(text);
    return undefined;
  });
  const inOrder = reversed ? records.toReversed() : records;
  return [bytes <= maxBytes ? `[${inOrder.join(',')}]` : null, String(rows), null];
}

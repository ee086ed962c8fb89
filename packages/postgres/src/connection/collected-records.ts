import type { Statement } from '@proj/engine/database';

import type { Connection, Row } from './connection.ts';

/**
 * Asks for records that come in rows of their own, and gives the row that one statement would have
 * made of them: their JSON text, how many they are, and no version.
 */
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
    // What is too long is read to its end, and kept no further.
    if (bytes <= maxBytes) records.push(text);
    return undefined;
  });
  const inOrder = reversed ? records.toReversed() : records;
  return [bytes <= maxBytes ? `[${inOrder.join(',')}]` : null, String(rows), null];
}

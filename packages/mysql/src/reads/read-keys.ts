import {
  type Asked,
  bind,
  type Found,
  Reads,
  type SortEstimate,
  type Template,
} from '@proj/engine/database';

import type { Connection, Row } from '../connection/connection.ts';
import type { Session } from './read-page.ts';

/** What a row has beside its key while it is numbered and sorted. */
const ROW_BYTES = 64;

/** A temporary table, and a sort, beyond the least of these go to disk. */
const MEMORY = 'select least(@@tmp_table_size, @@max_heap_table_size, @@sort_buffer_size)';

/** Reads keys in one snapshot. */
export function readKeys(
  { connection, versions }: Session,
  keys: Asked<'keys'>,
): Promise<Found<'keys'>> {
  const work = async (): Promise<Found<'keys'>> =>
    Reads.unversioned({ rows: await run(connection, keys.keys, keys) });
  return versions.read(connection, { work, relations: keys.relations });
}

/**
 * The server says that it sorts, and knows the number of rows by rough estimates. All rows of a
 * chunk are in a temporary table while they are numbered.
 */
export async function estimateSort(
  connection: Connection,
  keys: Asked<'keys'>,
): Promise<SortEstimate> {
  const { sql, parameters } = keys.rows;
  const steps = await run(connection, { sql: `explain ${sql}`, parameters }, keys);
  const sorts = steps.some((step) => /filesort|temporary/.test(String(step.at(-1))));
  const [[memory] = []] = await connection.command(MEMORY);
  return {
    rows: sorts ? Infinity : keys.bindings.size,
    rowBytes: ROW_BYTES + keys.keyBytes,
    memoryBytes: Number(memory),
  };
}

/** The numbers are sent as texts: MySQL refuses the doubles that the driver makes of numbers. */
function run(
  connection: Connection,
  template: Template,
  { bindings: { size, offset, key } }: Asked<'keys'>,
): Promise<Row[]> {
  const range = { limit: String(size), offset: String(offset) };
  return connection.execute(bind(template, { ...range, key }));
}

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

/** A row's memory beside its key while it is numbered and sorted. */
const ROW_BYTES = 64;

/** Larger temporary tables and sorts go to disk. */
const MEMORY = 'select least(@@tmp_table_size, @@max_heap_table_size, @@sort_buffer_size)';

export function readKeys(
  { connection, versions }: Session,
  keys: Asked<'keys'>,
): Promise<Found<'keys'>> {
  const work = async (): Promise<Found<'keys'>> =>
    Reads.unversioned({ rows: await run(connection, keys.keys, keys) });
  return versions.read(connection, { work, relations: keys.relations });
}

/** The server estimates rows roughly. A chunk's rows are in a temporary table while numbered. */
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

/** Sends numbers as texts: MySQL refuses the doubles that the driver makes of them. */
function run(
  connection: Connection,
  template: Template,
  { bindings: { size, offset, key } }: Asked<'keys'>,
): Promise<Row[]> {
  const range = { limit: String(size), offset: String(offset) };
  return connection.execute(bind(template, { ...range, key }));
}

import type { Filter, RequestOptions } from '@proj/client';

import { RowError } from '../errors.ts';
import type { Columns } from '../mapping/columns.ts';
import { anyOf } from '../mapping/filter-parts.ts';
import type { SortedColumn } from '../mapping/sort.ts';
import type { Row } from '../model/client.ts';
import { foundFilterOf, keyOf, type RecordWithId, recordWithId } from '../model/row-id.ts';
import type { GridSource } from './source.ts';

type Id = string | number;

/**
 * Reads one record by its id.
 *
 * @throws {RowError} with the status 404 where there is none.
 */
export async function readRecord(
  source: GridSource,
  id: Id,
  { signal }: RequestOptions,
): Promise<RecordWithId> {
  const [record] = await readRecords(source, [id], { signal });
  if (record) return record;
  throw new RowError(404, `${source.known.name}: no record has the id ${JSON.stringify(id)}.`);
}

/** How many keys one filter holds: the leaves of a filter are limited. */
const MOST_LEAVES = 50;

/** Reads the records of some ids, each once, as many of them as there are. */
export async function readRecords(
  source: GridSource,
  ids: readonly Id[],
  { signal }: RequestOptions,
): Promise<RecordWithId[]> {
  await source.columns([], signal);
  const { known } = source;
  const count = Math.max(1, Math.floor(MOST_LEAVES / keyOf(known).length));
  const filters = [...new Set(ids.map(String))].flatMap((id) => foundFilterOf(known, id) ?? []);
  const records: RecordWithId[] = [];
  for (let from = 0; from < filters.length; from += count) {
    const rows = await readRows(source, filters.slice(from, from + count), { signal });
    records.push(...rows.map((row) => recordWithId(known, row)));
  }
  return records;
}

/** A key that the service refuses as a value, such as a number beyond 64 bits, is of no record. */
async function readRows(
  source: GridSource,
  keys: readonly Filter[],
  { signal }: RequestOptions,
): Promise<readonly Row[]> {
  try {
    const asked = { filter: anyOf(keys), sort: [], start: 0, end: keys.length, signal };
    return (await source.read(asked)).rows;
  } catch (error) {
    if (!(error instanceof Error) || Reflect.get(error, 'code') !== 'invalid_value') throw error;
    if (keys.length === 1) return [];
    const rows: Row[] = [];
    for (const key of keys) rows.push(...(await readRows(source, [key], { signal })));
    return rows;
  }
}

/** A sort by `id` is one by the key, where no attribute has the name. */
export function sortedColumns(
  source: GridSource,
  columns: Columns,
  terms: readonly SortedColumn[],
): readonly SortedColumn[] {
  return terms.flatMap(({ column, descending }) =>
    column === 'id' && !columns.has('id')
      ? keyOf(source.known).map((name) => ({ column: name, descending }))
      : [{ column, descending }],
  );
}

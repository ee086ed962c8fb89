import { performance } from 'node:perf_hooks';

import {
  type Asked,
  bind,
  type Found,
  type PageRange,
  Reads,
  type Snapshot,
  type Template,
} from '@proj/engine/database';

/** Reads a page of a list that varies: two statements may differ in one snapshot. */
export async function readVaryingPage(
  snapshot: Snapshot,
  statement: Template,
  { size: limit, offset }: PageRange,
): Promise<Found<'page'>> {
  const { numbers, ...read } = await readAtOnce(snapshot, statement, { limit, offset });
  return { ...read, total: numbers[0] ?? 0n };
}

/** The same of a page that is not counted, or only as far as a limit. */
export async function readVaryingBounded(
  snapshot: Snapshot,
  template: Template,
  page: Asked<'bounded'>,
): Promise<Found<'bounded'>> {
  const { statement, bindings } = Reads.boundedStatement(page, template);
  const { size: limit, ...rest } = bindings;
  const { numbers, ...read } = await readAtOnce(snapshot, statement, { limit, ...rest });
  return Reads.boundedRows(page, { ...read, counted: numbers[0] ?? 0n });
}

/** Reads the page that holds a record in one statement. */
export async function readRecordPage(
  snapshot: Snapshot,
  page: Asked<'recordPage'>,
): Promise<Found<'recordPage'>> {
  const { size: limit, ...rest } = page.bindings;
  const { numbers, ...read } = await readAtOnce(snapshot, page.statement, { limit, ...rest });
  const [total, rank] = numbers;
  return {
    ...read,
    ...Reads.placeOfRecord(page, { total: total?.toString(), rank: rank?.toString() }),
  };
}

/** What one statement says of a page, and the numbers behind it. */
interface ReadAtOnce extends Found<'rows'>, Pick<Found<'page'>, 'milliseconds'> {
  readonly numbers: readonly (bigint | null)[];
}

async function readAtOnce(
  snapshot: Snapshot,
  template: Template,
  bindings: Parameters<typeof bind>[1],
): Promise<ReadAtOnce> {
  const started = performance.now();
  const row = (await snapshot.row(bind(template, bindings))) ?? [];
  const [json, rows, ...numbers] = row as readonly [string | null, ...(bigint | null)[]];
  return {
    json: json ?? undefined,
    rows: Number(rows),
    version: undefined,
    numbers,
    milliseconds: { rows: performance.now() - started, count: 0 },
  };
}

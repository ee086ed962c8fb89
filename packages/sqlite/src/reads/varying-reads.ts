import { performance } from 'node:perf_hooks';
import { bind, type Bindings, type BoundedPage, type BoundedRows, boundedRows, boundedStatement, type PageRange, type PageRows, placeOfRecord, type RecordPageStatement, type RecordRows, type RowsRead, type Snapshot, type Template } from '@proj/engine/database';

/** Reads a page of a list that varies: two statements may differ in one snapshot. */
export async function readVaryingPage(
  snapshot: Snapshot,
  statement: Template,
  { size: limit, offset }: PageRange,
): Promise<PageRows> {
  const { numbers, ...read } = await readAtOnce(snapshot, statement, { limit, offset });
  return { ...read, total: numbers[0] ?? 0n };
}

/** The same of a page that is not counted, or only as far as a limit. */
export async function readVaryingBounded(
  snapshot: Snapshot,
  template: Template,
  page: BoundedPage,
): Promise<BoundedRows> {
  const { statement, bindings } = boundedStatement(page, template);
  const { size: limit, ...rest } = bindings;
  const { numbers, ...read } = await readAtOnce(snapshot, statement, { limit, ...rest });
  return boundedRows(page, { ...read, counted: numbers[0] ?? 0n });
}

/** Reads the page that holds a record in one statement. */
export async function readRecordPage(
  snapshot: Snapshot,
  page: RecordPageStatement,
): Promise<RecordRows> {
  const { size: limit, ...rest } = page.bindings;
  const { numbers, ...read } = await readAtOnce(snapshot, page.statement, { limit, ...rest });
  const [total, rank] = numbers;
  return { ...read, ...placeOfRecord(page, { total: total?.toString(), rank: rank?.toString() }) };
}

/** What one statement says of a page, and the numbers behind it. */
interface ReadAtOnce extends RowsRead, Pick<PageRows, 'milliseconds'> {
  readonly numbers: readonly (bigint | null)[];
}

async function readAtOnce(
  snapshot: Snapshot,
  template: Template,
  bindings: Bindings,
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

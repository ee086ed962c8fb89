import type {
  DynamicQueryClient,
  Filter,
  Page,
  PageTotal,
  RequestedTotal,
  Sort,
} from '@proj/client';
import type { RequestedRelated } from '@proj/contract';

import { FailedError } from '../failure.ts';
import type { AnyRecord } from '../output/records.ts';
import type { DataState, Position } from './export-state.ts';
import type { Format } from './formats.ts';
import type { Target } from './targets.ts';

/** Which records of a model. */
export interface SelectedList {
  readonly model: string;
  readonly attributes: readonly string[];
  readonly filter?: Filter;
  readonly sort?: readonly Sort[];
  readonly related?: RequestedRelated;
}

export interface ExportedList extends SelectedList {
  readonly order: 'page' | 'key';
  readonly size: number;
}

export interface Reading {
  readonly position: Position;
  readonly concurrency: number;
  readonly total: RequestedTotal;
  readonly signal: AbortSignal;
}

/** The caller looks for changes of the data, over all runs. */
export function listPages(
  client: DynamicQueryClient,
  list: ExportedList,
  { position, total, ...options }: Reading,
): AsyncIterable<Page<AnyRecord, PageTotal>> {
  const { from, after } = position;
  const start = list.order === 'page' ? { from } : after === null ? {} : { after };
  return client.pages(
    { ...list, total, ...start, maxPages: Infinity },
    { ...options, onDrift: 'ignore' },
  );
}

function positionAfter({ number, lastKey }: Page<AnyRecord, PageTotal>): Position {
  return { from: number + 1, after: lastKey };
}

export interface Writing {
  readonly format: Format;
  readonly target: Target;
  /** Called after a page is written; `records` counts all so far. */
  readonly onPage: (page: Page<AnyRecord, PageTotal>, records: number) => void;
  /** Called at most once, when the data has changed since the first page; may throw. */
  readonly onDrift: (what: string) => void;
}

/**
 * Writes all pages, and finishes the target. After a failure the target keeps what it has.
 *
 * @returns how many records the export has.
 * @throws {FailedError} with what a later run can continue, and how; its cause is the error.
 */
export async function writeExport(
  pages: AsyncIterable<Page<AnyRecord, PageTotal>>,
  writing: Writing,
): Promise<number> {
  const { target, format } = writing;
  return finishing(target, async () => {
    const records = await writePages(pages, writing);
    await target.append(format.end);
    return records;
  });
}

/**
 * Finishes a target after the work.
 *
 * @throws {FailedError} with what became of the target; its cause is the error.
 */
export async function finishing<Result>(
  target: Target,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    const result = await work();
    await target.finish();
    return result;
  } catch (error) {
    const left = await target.keep().catch(() => '');
    throw new FailedError(left, { cause: error });
  }
}

async function writePages(
  pages: AsyncIterable<Page<AnyRecord, PageTotal>>,
  { format, target, onPage, onDrift }: Writing,
): Promise<number> {
  let { records, start } = target.state;
  let drifted = false;
  if (target.state.bytes === 0) await target.append(format.begin);
  for await (const page of pages) {
    start ??= stateOf(page);
    const change = drifted ? undefined : describeChange(start, stateOf(page));
    if (change !== undefined) {
      drifted = true;
      onDrift(change);
    }
    const isFirst = records === 0;
    const texts = page.records.map((one, index) => format.record(one, isFirst && index === 0));
    await target.append(texts.join(''));
    records += page.records.length;
    await target.note({ records, start, position: positionAfter(page) });
    onPage(page, records);
  }
  return records;
}

function stateOf({ total, dataVersion }: Page<AnyRecord, PageTotal>): DataState {
  return { total: total === null ? null : String(total), dataVersion };
}

function describeChange(start: DataState, now: DataState): string | undefined {
  const areCounted = start.total !== null && now.total !== null;
  if (areCounted && start.total !== now.total)
    return `the list had ${start.total} records at the start and has ${now.total} now`;
  const known = start.dataVersion !== null && now.dataVersion !== null;
  return known && start.dataVersion !== now.dataVersion
    ? 'the data changed since the start'
    : undefined;
}

import type {
  DynamicQueryClient,
  Filter,
  Page,
  PageTotal,
  RequestedTotal,
  Sort,
} from '@proj/client';

import type { Position } from './export-state.ts';
import type { AnyRecord } from '../output/any-record.ts';

/** The list that is exported. */
export interface ExportedList {
  readonly model: string;
  readonly attributes: readonly string[];
  readonly filter: Filter | undefined;
  readonly sort: readonly Sort[] | undefined;
  readonly order: 'page' | 'key';
  readonly size: number;
}

/** How it is read. */
export interface Reading {
  readonly position: Position;
  readonly concurrency: number;
  readonly total: RequestedTotal;
  readonly signal: AbortSignal;
}

/**
 * All pages of a list from a position on, in order. Changes of the data are looked for by the
 * caller, over all runs.
 */
export function listPages(
  client: DynamicQueryClient,
  list: ExportedList,
  { position, total, ...options }: Reading,
): AsyncIterable<Page<AnyRecord, PageTotal>> {
  const { filter, sort, order, ...rest } = list;
  const start =
    order === 'page'
      ? { from: position.from }
      : position.after === null
        ? {}
        : { after: position.after };
  return client.pages(
    {
      ...rest,
      order,
      total,
      ...start,
      ...(filter && { filter }),
      ...(sort && { sort }),
      maxPages: Infinity,
    },
    { ...options, onDrift: 'ignore' },
  );
}

/** Where to go on after a page. */
export function positionAfter({ number, lastKey }: Page<AnyRecord, PageTotal>): Position {
  return { from: number + 1, after: lastKey };
}

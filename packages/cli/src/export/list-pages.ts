import type {
  DynamicQueryClient,
  Filter,
  Page,
  PageTotal,
  RequestedTotal,
  Sort,
} from '@proj/client';
import type { RequestedRelated } from '@proj/contract';

import type { Position } from './export-state.ts';
import type { AnyRecord } from '../output/any-record.ts';

export interface ExportedList {
  readonly model: string;
  readonly attributes: readonly string[];
  readonly filter: Filter | undefined;
  readonly sort: readonly Sort[] | undefined;
  readonly related: RequestedRelated | undefined;
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
  const { filter, sort, related, order, ...rest } = list;
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
      ...(related && { related }),
      maxPages: Infinity,
    },
    { ...options, onDrift: 'ignore' },
  );
}

export function positionAfter({ number, lastKey }: Page<AnyRecord, PageTotal>): Position {
  return { from: number + 1, after: lastKey };
}

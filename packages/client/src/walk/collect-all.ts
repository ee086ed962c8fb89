import { DriftError, type DriftReason } from '../errors/errors.ts';
import type { CollectOptions, WalkOptions } from '../options/walk-options.ts';
import { integerOption } from '../options/client-options.ts';
import { type PageTotal, totalNumber } from '../options/query.ts';
import type { Page } from './page.ts';

export interface Collected<Item, Total extends PageTotal = bigint> {
  readonly records: Item[];
  /** Of the list when its last page was read; `null` where that was not asked for. */
  readonly total: Total;
  /** `null` where `total` is `null` or past 2^53 − 1. */
  readonly totalNumber: number | null;
  /** Changes between the first page and the last; `null` if none. */
  readonly drift: DriftReason | null;
  readonly restarts: number;
}

type Walk<Item, Total extends PageTotal> = (
  options: WalkOptions<Total>,
) => AsyncIterable<Page<Item, Total>>;

/** @throws {DriftError} as `onDrift` says. */
export async function collectAll<Item, Total extends PageTotal>(
  walk: Walk<Item, Total>,
  options: CollectOptions<Total>,
): Promise<Collected<Item, Total>> {
  const maxRestarts = integerOption('maxRestarts', options.maxRestarts ?? 3, [0, 100]);
  const { onDrift, ...rest } = options;
  if (onDrift !== 'restart') return collectOnce(walk, { ...rest, ...(onDrift && { onDrift }) });
  for (let restarts = 0; ; restarts++) {
    try {
      return { ...(await collectOnce(walk, { ...rest, onDrift: 'error' })), restarts };
    } catch (error) {
      if (!(error instanceof DriftError) || restarts >= maxRestarts) throw error;
    }
  }
}

async function collectOnce<Item, Total extends PageTotal>(
  walk: Walk<Item, Total>,
  options: WalkOptions<Total>,
): Promise<Collected<Item, Total>> {
  const records: Item[] = [];
  let total: PageTotal = null;
  let drift: DriftReason | null = null;
  const pages = walk({
    ...options,
    onProgress: (progress) => {
      ({ total, drift } = progress);
      options.onProgress?.(progress);
    },
  });
  for await (const page of pages) for (const record of page.records) records.push(record);
  return { records, total: total as Total, totalNumber: totalNumber(total), drift, restarts: 0 };
}

import { DriftError } from '../errors/drift-error.ts';
import type { DriftReason } from '../errors/drift-report.ts';
import type { CollectOptions } from '../options/collect-options.ts';
import { integerOption } from '../options/integer-option.ts';
import type { WalkOptions } from '../options/walk-options.ts';
import type { Page } from './page.ts';

/** A list that was read to its end. */
export interface Collected<Item> {
  /** Its records, in order. */
  readonly records: readonly Item[];
  /** How many records the whole list had when its last page was read. */
  readonly total: bigint;
  /**
   * What is known about changes between the first page and the last: `null` says that there were
   * none.
   */
  readonly drift: DriftReason | null;
  /** How often the reading began again. */
  readonly restarts: number;
}

/** Starts the walk whose pages are collected. */
type Walk<Item> = (options: WalkOptions) => AsyncIterable<Page<Item>>;

/**
 * Collects the pages of a walk.
 *
 * @throws {DriftError} as `onDrift` says.
 */
export async function collectAll<Item>(
  walk: Walk<Item>,
  options: CollectOptions,
): Promise<Collected<Item>> {
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

async function collectOnce<Item>(walk: Walk<Item>, options: WalkOptions): Promise<Collected<Item>> {
  const records: Item[] = [];
  let total = 0n;
  let drift: DriftReason | null = null;
  const pages = walk({
    ...options,
    onProgress: (progress) => {
      ({ total, drift } = progress);
      options.onProgress?.(progress);
    },
  });
  for await (const page of pages) for (const record of page.records) records.push(record);
  return { records, total, drift, restarts: 0 };
}

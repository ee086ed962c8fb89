import { DriftError } from '../errors/drift-error.ts';
import type { DriftReason } from '../errors/drift-report.ts';
import type { CollectOptions } from '../options/collect-options.ts';
import { integerOption } from '../options/integer-option.ts';
import type { WalkOptions } from '../options/walk-options.ts';
import type { Page } from './page.ts';

/** A list that was read to its end. */
export interface Collected<Element> {
  /** Its elements, in order. */
  readonly records: readonly Element[];
  /** How many elements the whole list had when its last page was read. */
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
type Walk<Element> = (options: WalkOptions) => AsyncIterable<Page<Element>>;

/**
 * Collects the pages of a walk.
 *
 * @throws {DriftError} as `onDrift` says.
 */
export async function collectAll<Element>(
  walk: Walk<Element>,
  options: CollectOptions,
): Promise<Collected<Element>> {
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

async function collectOnce<Element>(
  walk: Walk<Element>,
  options: WalkOptions,
): Promise<Collected<Element>> {
  const records: Element[] = [];
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

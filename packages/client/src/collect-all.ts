import type { DriftReason, OnDrift } from './drift.ts';
import { DriftError } from './errors/drift-error.ts';
import type { WalkOptions } from './walk-options.ts';
import type { Page } from './page.ts';
import { within } from './within.ts';

/** What collecting a list takes. */
export interface CollectOptions extends Omit<WalkOptions, 'onDrift'> {
  /**
   * As for a walk, and `restart`: when the data changes, what was read is thrown away and the list
   * is read again from its start, `maxRestarts` times at most; then it is a `DriftError`. Where the
   * service sends no `Data-Version`, only a changed total is noticed: look at `drift` of the
   * result.
   *
   * @default 'warn' in page order, 'ignore' in key order
   */
  readonly onDrift?: OnDrift | 'restart';
  /**
   * How often `restart` begins again, 0 to 100.
   *
   * @default 3
   */
  readonly maxRestarts?: number;
}

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
  const maxRestarts = within('maxRestarts', options.maxRestarts ?? 3, [0, 100]);
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

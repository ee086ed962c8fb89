import type { PageRows, ReadCall, RecordRows } from '../sources/source.ts';
import type { HitCounter } from './cache-stats.ts';
import type { FoundTotal } from './found-total.ts';
import type { ListQuestion, PageQuestion, RecordQuestion } from './reader.ts';

/**
 * How a page can be read without a count. `long`: many rows before it are passed over, so a `quick`
 * path of another kind of list goes first. `unknown`: not now, since the total is not known.
 */
export type KnownPath = 'quick' | 'long' | 'unknown';

/**
 * Reads pages of lists whose total is known, so that no count is needed: because the data is
 * unchanged since the total was read, or because its changes are followed.
 */
export interface KnownLists {
  readonly counter: HitCounter;
  /**
   * How a page can be read. Undefined for lists whose total cannot be kept here. Has no side
   * effect.
   */
  pathTo(question: PageQuestion): KnownPath | undefined;
  /** Whose request has found the total, where that is known. Has no side effect. */
  foundFor?(question: PageQuestion): string | undefined;
  /**
   * Reads the page. Undefined where the rows turned out to be of another state than the known
   * total.
   */
  page(question: PageQuestion, call: ReadCall): Promise<PageRows | undefined>;
  /** The same of the page that holds a record. */
  record(question: RecordQuestion, call: ReadCall): Promise<RecordRows | undefined>;
  /**
   * Notes that a page of the list is asked for. A total or page index that is missing is read in
   * the background where the list is asked for often enough.
   *
   * @returns resolves when the total was read, as a rule; undefined where it is not worth waiting
   */
  want(question: ListQuestion, call: ReadCall): Promise<void> | undefined;
  /** Keeps the total that another read has found. */
  learn(question: ListQuestion, found: FoundTotal): void;
}

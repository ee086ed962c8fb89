import type { PageRows, ReadCall, RecordRows } from '../sources/source.ts';
import type { HitCounter } from './cache-stats.ts';
import type { Facts } from './facts.ts';
import type { ListQuestion, PageQuestion, RecordQuestion } from './reader.ts';

/**
 * How a page is read without a count: `quick`, or `long`, where its rows are passed over. The total
 * of an `unknown` one is not known at the moment.
 */
export type KnownPath = 'quick' | 'long' | 'unknown';

/**
 * Lists of which something is known, so that their pages take no count: because the data is
 * unchanged, or because its changes are followed.
 */
export interface KnownLists {
  readonly counter: HitCounter;
  /** Undefined for lists of which nothing can be known. It changes nothing. */
  pathTo(question: PageQuestion): KnownPath | undefined;
  /** The page; undefined where what was known does not hold in the state that was read. */
  page(question: PageQuestion, call: ReadCall): Promise<PageRows | undefined>;
  /** The same of the page that holds a record. */
  record(question: RecordQuestion, call: ReadCall): Promise<RecordRows | undefined>;
  /** Notes that somebody asks: what is not known is found out, if worth it. */
  want(question: ListQuestion): void;
  /** Notes what a read has found. */
  learn(question: ListQuestion, found: Facts): void;
}

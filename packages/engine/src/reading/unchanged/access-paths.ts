import type { Checkpoints } from '../../sources/followed.ts';
import { fromNearerEnd } from '../../sql/nearer-end.ts';
import type { PreparedQuery } from '../../sql/prepared/prepared-query.ts';
import type { PageRange, RowsStatement } from '../../sql/query-statements.ts';
import type { CachedTotal } from '../facts.ts';

/** A page that is read, of a list with this total, and for whom. */
export interface WantedPage {
  readonly range: PageRange;
  readonly known: CachedTotal;
  readonly caller: string;
}

/** Finds access paths to the pages of queries whose total is known. */
export interface AccessPaths {
  /** The statement that reads a page at the least cost; undefined for a page past the end. */
  locate(query: PreparedQuery, range: PageRange, known: CachedTotal): RowsStatement | undefined;
  /** Notes that a page is read: deep pages of a list without a quick path get one, if worth it. */
  want(query: PreparedQuery, page: WantedPage): void;
  /** Keys along a list at the version of its total; undefined where there are none. */
  checkpoints(query: PreparedQuery, known: CachedTotal): Checkpoints | undefined;
}

/** Every page is read from that end of the list which is nearer. */
export const NEARER_END: AccessPaths = {
  locate: (query, range, { total }) => fromNearerEnd(query.statements, range, total),
  want: () => undefined,
  checkpoints: () => undefined,
};

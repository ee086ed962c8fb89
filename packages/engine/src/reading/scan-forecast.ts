import { DEEP_OFFSET } from '../sources/reads/page.ts';
import type { FollowedChanges } from '../sources/source.ts';
import { fromNearerEnd } from '../sql/nearer-end.ts';
import { followedRows } from './followed/followed-rows.ts';
import type { KnownTotals } from './unchanged/known-totals.ts';
import type { QueryCosts } from './sharing/query-costs.ts';
import type { ListQuestion, RecordQuestion } from './reader.ts';
import type { Reply, ReplyCache } from './sharing/reply-cache.ts';

/** What a forecast looks at. */
export interface ScanForecastParts {
  readonly changes: Pick<FollowedChanges, 'knowsTotal'> | undefined;
  readonly costs: QueryCosts;
  readonly knownTotals: KnownTotals;
  readonly replies: Pick<ReplyCache<Reply>, 'mayHave'>;
}

/** Estimates before a page is read whether it may cost the database much. Has no side effect. */
export class ScanForecast {
  readonly #parts: ScanForecastParts;

  constructor(parts: ScanForecastParts) {
    this.#parts = parts;
  }

  /**
   * Whether reading a page may take a count, or pass over many rows. It may not where the list was
   * cheap to read lately, where a reply is kept, or where the total is known and the page is near
   * an end of the list.
   */
  mayScan(question: ListQuestion): boolean {
    const { query } = question;
    const { changes, costs, knownTotals, replies } = this.#parts;
    if (!costs.isExpensive(query) || replies.mayHave(question)) return false;
    if ('record' in question) return this.#mayCount(question);
    const { range } = question;
    const known = knownTotals.total(query);
    if (known !== undefined) {
      const nearest = fromNearerEnd(query.statements, range, known.total);
      return nearest !== undefined && nearest.bindings.offset > DEEP_OFFSET;
    }
    const { condition } = query.plan;
    const { relation, session } = followedRows(query) ?? {};
    const isFollowed =
      relation !== undefined && changes?.knowsTotal(relation, condition, session) === true;
    // The beginning of a list without a filter, when no total is asked for, is read without a
    // count.
    const isBeginning = question.countLimit === 0 && condition === undefined;
    return !(isFollowed || isBeginning) || range.offset > DEEP_OFFSET;
  }

  /** Without keys along the list, the records before the one that is asked for are counted. */
  #mayCount({ query }: RecordQuestion): boolean {
    const known = this.#parts.knownTotals.total(query);
    return known === undefined || this.#parts.knownTotals.checkpoints(query, known) === undefined;
  }
}

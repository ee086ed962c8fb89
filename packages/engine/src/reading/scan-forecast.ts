import { DEEP_OFFSET } from '../sources/reads/page.ts';
import type { FollowedChanges } from '../sources/source.ts';
import { fromNearerEnd } from '../sql/query-statements.ts';
import { followedRows } from './followed/followed-rows.ts';
import type { KnownTotals } from './unchanged/known-totals.ts';
import type { QueryCosts } from './sharing/query-costs.ts';
import type { ListQuestion, RecordQuestion } from './reader.ts';
import type { Reply, ReplyCache } from './sharing/reply-cache.ts';

export interface ScanForecastParts {
  readonly changes: Pick<FollowedChanges, 'knowsTotal'> | undefined;
  readonly costs: QueryCosts;
  readonly knownTotals: KnownTotals;
  readonly replies: Pick<ReplyCache<Reply>, 'mayHave'>;
}

export class ScanForecast {
  readonly #parts: ScanForecastParts;

  constructor(parts: ScanForecastParts) {
    this.#parts = parts;
  }

  /** False where the list was cheap lately, a reply is kept, or a known total makes it quick. */
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
    // Without filter or total, the beginning takes no count.
    const isBeginning = question.countLimit === 0 && condition === undefined;
    return !(isFollowed || isBeginning) || range.offset > DEEP_OFFSET;
  }

  #mayCount({ query }: RecordQuestion): boolean {
    const known = this.#parts.knownTotals.total(query);
    return known === undefined || this.#parts.knownTotals.checkpoints(query, known) === undefined;
  }
}

import type { RelationPath } from '../../catalogue/relation.ts';
import type { FollowedChanges } from '../../sources/source.ts';
import type { PreparedQuery } from '../../sql/prepared/prepared-query.ts';
import type { FollowedWork, WorkStep } from './followed-work.ts';
import { ListAdmission } from './list-admission.ts';

/**
 * How often a count is tried: a snapshot that is taken just after a total begins to be followed may
 * not see all earlier writes yet, and its count cannot be used then.
 */
const MOST_TRIES = 20;

/** What followed totals are made of. */
export interface FollowedTotalsParts {
  readonly changes: Pick<FollowedChanges, 'knowsTotal'>;
  readonly work: Pick<FollowedWork, 'begin'>;
}

/**
 * Counts lists in the background, once; from then on their totals follow the changes of the
 * relation. Unfiltered lists are counted at the first request, filtered ones at the second.
 */
export class FollowedTotals {
  readonly #changes: FollowedTotalsParts['changes'];
  readonly #work: FollowedTotalsParts['work'];
  readonly #lists = new ListAdmission();

  constructor({ changes, work }: FollowedTotalsParts) {
    this.#changes = changes;
    this.#work = work;
  }

  /** Whether the total of a query is followed at the moment, so that reads return it. */
  has({ plan: { facts, condition } }: PreparedQuery): boolean {
    const { followable } = facts;
    return followable !== undefined && this.#changes.knowsTotal(followable, condition);
  }

  /** Notes that a page was read with the total of a query. */
  noteUse({ totalKey }: PreparedQuery): void {
    this.#lists.noteUse(totalKey);
  }

  /**
   * Notes that a total is asked for that is not followed, and counts the list in the background if
   * it is asked for often enough.
   */
  want(query: PreparedQuery): void {
    const { totalKey, plan } = query;
    this.#lists.noteGone(totalKey);
    const { followable } = plan.facts;
    if (followable === undefined) return;
    if (plan.condition === undefined || this.#lists.noteAsked(totalKey))
      this.#count(query, followable);
  }

  #count(query: PreparedQuery, relation: RelationPath): void {
    const started = performance.now();
    const { totalKey, plan, statements } = query;
    const { condition } = plan;
    let tries = 0;
    const step: WorkStep = async (snapshot, moment) => {
      if (condition !== undefined && !moment.beginTotal(condition)) {
        this.#lists.noteRefused(totalKey);
        return false;
      }
      if (moment.wantsTotal(condition))
        moment.learnTotal(await snapshot.count(statements.count), condition);
      if (moment.total(condition) === undefined) return ++tries < MOST_TRIES;
      this.#lists.noteKept(totalKey, performance.now() - started);
      return false;
    };
    this.#work.begin(relation, step);
  }
}

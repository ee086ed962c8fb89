import { LRUCache } from 'lru-cache';

import type { RelationPath } from '../../catalogue/relation.ts';
import type { FollowedChanges, KeySnapshot, RelationMoment } from '../../sources/source.ts';
import type { PreparedQuery } from '../../sql/prepared/prepared-query.ts';
import type { FollowedWork } from './followed-work.ts';
import { ListAdmission } from './list-admission.ts';

/**
 * How often a count is tried: a snapshot that is taken just after a total begins to be followed may
 * not see all earlier writes yet, and its count cannot be used then.
 */
const MOST_TRIES = 20;

/** Lists that wait for their count at once. */
const MOST_WAITING = 250;

/** What followed totals are made of. */
export interface FollowedTotalsParts {
  readonly changes: Pick<FollowedChanges, 'knowsTotal'>;
  readonly work: Pick<FollowedWork, 'begin'>;
  /** A filtered list is followed where counting it takes so many milliseconds at least. */
  readonly leastCountMs: number;
}

/** A list that is to be counted. */
interface WaitingCount {
  readonly query: PreparedQuery;
  readonly relation: RelationPath;
  readonly started: number;
  tries: number;
}

/** Where a list is counted. */
interface CountState {
  readonly snapshot: KeySnapshot;
  readonly moment: RelationMoment;
}

/**
 * Counts lists in the background, once; from then on their totals follow the changes of the
 * relation. Unfiltered lists are counted at the first request, filtered ones at the second.
 */
export class FollowedTotals {
  readonly #changes: FollowedTotalsParts['changes'];
  readonly #work: FollowedTotalsParts['work'];
  readonly #leastCountMs: number;
  readonly #lists = new ListAdmission();
  /** By what names their totals. */
  readonly #waiting = new LRUCache<string, WaitingCount>({ max: MOST_WAITING });

  constructor({ changes, work, leastCountMs }: FollowedTotalsParts) {
    this.#changes = changes;
    this.#work = work;
    this.#leastCountMs = leastCountMs;
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
    if (!this.#waiting.has(query.totalKey))
      this.#waiting.set(query.totalKey, { query, relation, started: performance.now(), tries: 0 });
    this.#work.begin(relation, async (snapshot, moment) => {
      const next = this.#nextOf(relation);
      if (next !== undefined) await this.#countNext(next, { snapshot, moment });
      return this.#nextOf(relation) !== undefined;
    });
  }

  #nextOf(relation: RelationPath): WaitingCount | undefined {
    const name = JSON.stringify(relation);
    return [...this.#waiting.values()].findLast((one) => JSON.stringify(one.relation) === name);
  }

  async #countNext(next: WaitingCount, state: CountState): Promise<void> {
    const { totalKey } = next.query;
    // One that cannot be counted does not keep others waiting.
    this.#waiting.delete(totalKey);
    // It was asked for while it was counted.
    if (this.has(next.query)) return;
    const outcome = await this.#countIn(state, next.query);
    if (outcome === 'refused') this.#lists.noteRefused(totalKey);
    else if (outcome === 'known') this.#lists.noteKept(totalKey, performance.now() - next.started);
    else if (++next.tries < MOST_TRIES) this.#waiting.set(totalKey, next);
  }

  /** Whether the total is known now, cannot be followed, or may be known in a later snapshot. */
  async #countIn(
    { snapshot, moment }: CountState,
    { plan: { condition }, statements }: PreparedQuery,
  ): Promise<'known' | 'refused' | 'later'> {
    if (condition === undefined) {
      if (moment.wantsTotal()) await moment.learnTotal(await snapshot.count(statements.count));
      return (await moment.total()) === undefined ? 'later' : 'known';
    }
    const started = performance.now();
    const total = await snapshot.count(statements.count);
    const isCheap = performance.now() - started < this.#leastCountMs;
    if (isCheap || !(await moment.beginTotal(condition))) return 'refused';
    return (await moment.learnTotal(total, condition)) ? 'known' : 'later';
  }
}

import type { Source } from '../sources/source.ts';
import type { PreparedQuery } from '../sql/prepared-query.ts';
import type { FollowedWork, WorkStep } from './followed-work.ts';
import { KeptLists } from './kept-lists.ts';

/** A snapshot may not see yet what was written before the total is followed. */
const MOST_TRIES = 20;

/** What maintained totals are made of. */
export interface MaintainedTotalsParts {
  readonly source: Pick<Source, 'knowsTotal'>;
  readonly work: Pick<FollowedWork, 'begin'>;
}

/**
 * Has totals counted that follow the changes of their relation from then on: those of whole
 * relations, and those of filtered lists that are asked for again.
 */
export class MaintainedTotals {
  readonly #source: MaintainedTotalsParts['source'];
  readonly #work: MaintainedTotalsParts['work'];
  readonly #lists = new KeptLists();

  constructor({ source, work }: MaintainedTotalsParts) {
    this.#source = source;
    this.#work = work;
  }

  /** Whether reads bring the total of a query. */
  has({ totalKey, plan: { model, condition } }: PreparedQuery): boolean {
    const isKnown = this.#source.knowsTotal?.(model.path, condition) === true;
    if (isKnown) this.#lists.noteUse(totalKey);
    return isKnown;
  }

  /** The same. Where they do not it is counted, if worth it. */
  knows(query: PreparedQuery): boolean {
    const { totalKey, plan } = query;
    if (this.has(query)) return true;
    this.#lists.noteGone(totalKey);
    if (plan.condition === undefined || this.#lists.isWanted(totalKey)) this.#count(query);
    return false;
  }

  #count(query: PreparedQuery): void {
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
    this.#work.begin(statements.relation, step);
  }
}

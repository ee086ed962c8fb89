import { LRUCache } from 'lru-cache';

import type { FollowedOrder, WantedKeys } from '../sources/followed.ts';
import type { KeySnapshot, RelationMoment } from '../sources/source.ts';
import { FROM_KEY } from '../sql/key-ranges.ts';
import { orderedFields } from '../sql/page-clauses.ts';
import type { PreparedQuery } from '../sql/prepared-query.ts';
import type { KeysStatement, PageRange, RowsStatement } from '../sql/query-statements.ts';
import type { HitCounter, MechanismCounters } from './cache-stats.ts';
import type { FollowedWork } from './followed-work.ts';
import { IndexAdmission, type UsedIndex } from './index-admission.ts';

/** Lists whose indexes are complete; the source keeps fewer. */
const MOST_LISTS = 100;

/** What an index is built in. */
interface IndexState {
  readonly snapshot: KeySnapshot;
  readonly moment: RelationMoment;
}

/** What maintained indexes are made of. */
export interface MaintainedIndexesParts {
  readonly counters: MechanismCounters;
  readonly work: Pick<FollowedWork, 'begin'>;
}

/**
 * Access paths to deep pages through page indexes that follow the changes of a relation. A list
 * whose deep pages are asked for again gets one, in the background.
 */
export class MaintainedIndexes {
  readonly #work: MaintainedIndexesParts['work'];
  readonly #counter: HitCounter;
  readonly #admission = new IndexAdmission();
  readonly #built = new LRUCache<string, UsedIndex>({ max: MOST_LISTS });

  constructor({ counters, work }: MaintainedIndexesParts) {
    this.#work = work;
    this.#counter = counters.create('maintained_index');
  }

  /** Whether the list has an index. Where it has none it gets one, if it is worth it. */
  serves(query: PreparedQuery): boolean {
    const isBuilt = this.#built.has(query.orderKey);
    if (!isBuilt) {
      this.#counter.count(false);
      this.#want(query);
    }
    return isBuilt;
  }

  /** The path to a page through the index of its list; undefined where there is none. */
  locate(
    moment: RelationMoment,
    query: PreparedQuery,
    { size, offset }: PageRange,
  ): RowsStatement | undefined {
    const index = moment.index(orderOf(query));
    const place = index?.locate(offset);
    this.#counter.count(place !== undefined);
    if (index === undefined || !index.isComplete) this.#noteGone(query.orderKey);
    if (index === undefined || place === undefined) return undefined;
    this.#noteUse(query.orderKey);
    if (index.wants() !== undefined) this.#begin(query);
    const { relation, rows, fields, maxBytes } = query.statements;
    const { from: key, skip } = place;
    const statement =
      key === undefined ? rows : query.seek({ nulls: key.map(() => false), reachesNulls: false });
    const bindings = { size, offset: BigInt(skip), ...(key && { key }) };
    return { relation, statement, bindings, fields, reversed: false, maxBytes };
  }

  #want(query: PreparedQuery): void {
    const list = query.orderKey;
    if (this.#admission.isAskedAgain(list) && this.#admission.admits(list, 0n)) this.#begin(query);
  }

  #begin(query: PreparedQuery): void {
    const started = performance.now();
    this.#work.begin(query.statements.relation, async (snapshot, moment) => {
      const hasMore = await this.#build({ snapshot, moment }, query);
      const index = moment.index(orderOf(query));
      if (index?.isComplete === true && !this.#built.has(query.orderKey))
        this.#built.set(query.orderKey, { buildMs: performance.now() - started, uses: 0 });
      return hasMore;
    });
  }

  /** Reads the keys that the index needs next. Returns whether it needs more. */
  async #build({ snapshot, moment }: IndexState, query: PreparedQuery): Promise<boolean> {
    const order = orderOf(query);
    if (moment.index(order) === undefined && !moment.beginIndex(order)) {
      this.#admission.noteRefused(query.orderKey);
      return false;
    }
    const index = moment.index(order);
    const wanted = index?.wants();
    const statement = wanted && keysStatement(query, wanted);
    if (index === undefined || statement === undefined) return false;
    index.learn(await snapshot.keys(statement));
    return index.wants() !== undefined;
  }

  #noteUse(list: string): void {
    const built = this.#built.get(list);
    if (built !== undefined) built.uses += 1;
  }

  /** Notes that an index is no longer kept: it could not follow, or others needed its memory. */
  #noteGone(list: string): void {
    const built = this.#built.get(list);
    if (built === undefined) return;
    this.#built.delete(list);
    this.#admission.noteGone(list, built);
  }
}

function orderOf({ orderKey, plan }: PreparedQuery): FollowedOrder {
  return { key: orderKey, condition: plan.condition, terms: orderedFields(plan) };
}

function keysStatement(
  query: PreparedQuery,
  { from, rows, step }: WantedKeys,
): KeysStatement | undefined {
  const [all] = query.keyRanges();
  const range = from === undefined ? all : FROM_KEY;
  const templates = range && query.keys({ range, step });
  if (templates === undefined) return undefined;
  const { relation, lock } = query.statements;
  const bindings = { size: rows, offset: 0n, key: from ?? [] };
  return { ...templates, relation, lock, bindings, maySort: false };
}

import type {
  Checkpoints,
  FollowedIndex,
  FollowedOrder,
  WantedKeys,
} from '../../sources/following/followed-moment.ts';
import type { KeySnapshot, RelationMoment } from '../../sources/source.ts';
import { rangeFrom } from '../../sql/clauses/seek.ts';
import { orderedFields } from '../../sql/clauses/page-clauses.ts';
import type { PreparedQuery } from '../../sql/prepared/prepared-query.ts';
import { type PageRange, rowsBy, type RowsStatement } from '../../sql/query-statements.ts';
import type { HitCounter, MechanismCounters } from '../cache-stats.ts';
import { followedRows } from './followed-rows.ts';
import { type FollowedWork, MOST_TRIES } from './followed-work.ts';
import { ListAdmission } from '../list-admission.ts';
import { keysStatement } from '../unchanged/key-walk.ts';

/** A list without a database index in its order is followed only up to two chunks. */
const CHUNK_ROWS = 10_000;

export class FollowedIndexes {
  readonly #work: Pick<FollowedWork, 'begin'>;
  readonly #counter: HitCounter;
  readonly #lists = new ListAdmission();

  constructor(counters: MechanismCounters, work: Pick<FollowedWork, 'begin'>) {
    this.#work = work;
    this.#counter = counters.create('followed_index');
  }

  has(query: PreparedQuery): boolean {
    return this.#lists.has(query.orderKey);
  }

  want(query: PreparedQuery): void {
    this.#counter.count(false);
    const { orderKey } = query;
    if (this.#lists.noteAsked(orderKey) && this.#lists.admits(orderKey)) this.#begin(query);
  }

  of(moment: RelationMoment, query: PreparedQuery): Promise<FollowedIndex | undefined> {
    return moment.index(orderOf(query));
  }

  locate(
    index: FollowedIndex | undefined,
    query: PreparedQuery,
    { size, offset }: PageRange,
  ): RowsStatement | undefined {
    const place = index?.locate({ size, offset });
    if (index !== undefined) this.#counter.count(place !== undefined);
    if (index === undefined || !index.isComplete) this.#lists.noteGone(query.orderKey);
    if (index === undefined || place === undefined) return undefined;
    this.#lists.noteUse(query.orderKey);
    if (index.wants() !== undefined) this.#begin(query);
    const { from: key, skip, reachesNulls } = place;
    const seek = key && query.seek({ nulls: rangeFrom(key).nulls, reachesNulls });
    const bindings = { size, offset: BigInt(skip), ...(key && { key }) };
    return rowsBy(query.statements, seek ?? query.statements.rows, bindings);
  }

  async checkpoints(
    moment: RelationMoment,
    query: PreparedQuery,
  ): Promise<Checkpoints | undefined> {
    const checkpoints = (await this.of(moment, query))?.checkpoints();
    if (checkpoints !== undefined) this.#lists.noteUse(query.orderKey);
    return checkpoints;
  }

  #begin(query: PreparedQuery): void {
    const started = performance.now();
    let tries = 0;
    const rows = followedRows(query);
    if (rows === undefined) return;
    this.#work.begin(rows, async (snapshot, moment) => {
      const { hasLearned, index } = await this.#build(snapshot, moment, query);
      if (index?.isComplete === true)
        this.#lists.noteKept(query.orderKey, performance.now() - started);
      tries = hasLearned ? 0 : tries + 1;
      return isUnfinished(index) && tries < MOST_TRIES;
    });
  }

  async #build(snapshot: KeySnapshot, moment: RelationMoment, query: PreparedQuery) {
    const index = (await this.of(moment, query)) ?? (await this.#follow(snapshot, moment, query));
    if (index === undefined) this.#lists.noteRefused(query.orderKey);
    const wanted = index?.wants();
    const statement = wanted && wantedKeys(query, wanted);
    if (index === undefined || statement === undefined) return { hasLearned: false, index };
    return { hasLearned: await index.learn(await snapshot.keys(statement)), index };
  }

  async #follow(snapshot: KeySnapshot, moment: RelationMoment, query: PreparedQuery) {
    const first = { from: undefined, part: undefined, rows: CHUNK_ROWS, step: CHUNK_ROWS };
    const statement = wantedKeys(query, first);
    if (statement === undefined) return undefined;
    const { rows } = await snapshot.estimateSort(statement);
    const isBegun = rows <= 2 * CHUNK_ROWS && (await moment.beginIndex(orderOf(query)));
    return isBegun ? this.of(moment, query) : undefined;
  }
}

function isUnfinished(index: FollowedIndex | undefined): boolean {
  if (index === undefined || index.isBroken) return false;
  return !index.isComplete || index.wants() !== undefined;
}

function orderOf({ orderKey, plan }: PreparedQuery): FollowedOrder {
  return { key: orderKey, condition: plan.condition, terms: orderedFields(plan) };
}

function wantedKeys(query: PreparedQuery, { from, part, rows, step }: WantedKeys) {
  const start = part === undefined ? query.keyRanges()[0] : { nulls: [], next: part };
  const range = from === undefined ? start : rangeFrom(from);
  const bindings = { size: rows, offset: 0n, key: from ?? [] };
  return range && keysStatement({ query, step, maySort: false }, range, bindings);
}

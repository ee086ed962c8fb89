import { setTimeout as sleep } from 'node:timers/promises';

import { LRUCache } from 'lru-cache';

import { within } from '../../deadline.ts';
import { SERVER_LIMITS } from '../../sources/pools/pool-limits.ts';
import type { CountOutcome, FollowedChanges, RelationMoment } from '../../sources/source.ts';
import type { PreparedQuery } from '../../sql/prepared/prepared-query.ts';
import { CallerTurns } from '../caller-turns.ts';
import { type FollowedRows, followedRows, isLogged } from './followed-rows.ts';
import { type FollowedWork, MOST_TRIES } from './followed-work.ts';
import { ListAdmission } from '../list-admission.ts';

const MOST_FOUND = 1000;
const MOST_WAITING = 250;

/** In milliseconds. A count waits for others as long as more come in such a time, */
const TOGETHER_MS = 20;

/** so many times at most, */
const MOST_PAUSES = 5;

/** and such a part of what the last count took at most. */
const PAUSE_PART = 0.05;

export interface FollowedTotalsParts {
  readonly changes: Pick<FollowedChanges, 'knowsTotal'>;
  readonly work: Pick<FollowedWork, 'begin' | 'stepEnd'>;
  readonly leastCountMs: number;
}

interface WaitingCount {
  readonly query: PreparedQuery;
  readonly rows: FollowedRows;
  readonly caller: string;
  tries: number;
  begunAt?: number | undefined;
}

/** Counts lists once, all that wait together; totals then follow changes. */
export class FollowedTotals {
  readonly #parts: FollowedTotalsParts;
  readonly #lists = new ListAdmission();
  readonly #waiting = new CallerTurns<WaitingCount>(MOST_WAITING);
  /** The caller whose request had a list counted, by total key. */
  readonly #foundFor = new LRUCache<string, string>({ max: MOST_FOUND });
  /** By the name of rows, in milliseconds. */
  readonly #lastCounts = new LRUCache<string, number>({ max: MOST_FOUND });

  constructor(parts: FollowedTotalsParts) {
    this.#parts = parts;
  }

  has(query: PreparedQuery): boolean {
    const { relation, session, condition } = followedRows(query) ?? {};
    return relation !== undefined && this.#parts.changes.knowsTotal(relation, condition, session);
  }

  foundFor({ totalKey }: PreparedQuery): string | undefined {
    return this.#foundFor.peek(totalKey);
  }

  noteUse({ totalKey }: PreparedQuery): void {
    this.#lists.noteUse(totalKey);
  }

  /** @returns when counted or late, for how long others went first; undefined if it will not be */
  want(query: PreparedQuery, caller: string): Promise<number> | undefined {
    const { totalKey } = query;
    this.#lists.noteGone(totalKey);
    const rows = followedRows(query);
    if (rows === undefined) return undefined;
    if (!isLogged(query) && !this.#lists.admits(totalKey)) return undefined;
    this.#count(query, rows, caller);
    return isLogged(query) ? undefined : this.#counted(query, rows);
  }

  #count(query: PreparedQuery, rows: FollowedRows, caller: string): void {
    const { totalKey } = query;
    const fresh = { query, rows, caller, tries: 0 };
    this.#waiting.add(caller, totalKey, this.#waiting.get(totalKey) ?? fresh);
    this.#parts.work.begin(rows, async (_snapshot, moment) => {
      if (!isLogged(query)) await this.#gather(rows);
      await this.#countSome(rows, moment);
      return this.#waitingFor(rows).length > 0;
    });
  }

  async #counted({ totalKey }: PreparedQuery, rows: FollowedRows): Promise<number> {
    const started = performance.now();
    const one = this.#waiting.get(totalKey);
    for (;;) {
      const end = this.#parts.work.stepEnd(rows);
      const leftMs = started + SERVER_LIMITS.maxWaitMs - performance.now();
      if (end === undefined || leftMs <= 0) break;
      await within(end, leftMs, undefined);
      if (this.#waiting.get(totalKey)?.begunAt !== undefined) await end;
      if (this.#waiting.get(totalKey) === undefined) break;
    }
    return Math.max(0, (one?.begunAt ?? performance.now()) - started);
  }

  #waitingFor({ name }: FollowedRows): WaitingCount[] {
    return this.#waiting.inOrder().filter((one) => one.rows.name === name);
  }

  async #gather(rows: FollowedRows): Promise<void> {
    const last = this.#lastCounts.get(rows.name);
    const pauseMs = last === undefined ? TOGETHER_MS : Math.min(TOGETHER_MS, last * PAUSE_PART);
    if (pauseMs < 1) return;
    let known = 0;
    for (let pauses = 0; pauses < MOST_PAUSES; pauses++) {
      const { length } = this.#waitingFor(rows);
      if (length === known) return;
      known = length;
      await sleep(pauseMs);
    }
  }

  async #countSome(rows: FollowedRows, moment: RelationMoment): Promise<void> {
    // Some became known meanwhile.
    for (const { query } of this.#waitingFor(rows))
      if (this.has(query)) this.#waiting.delete(query.totalKey);
    const unknown = this.#waitingFor(rows);
    const all = unknown.find(({ query }) => isLogged(query));
    const lists = all === undefined ? unknown : [all];
    if (lists.length === 0) return;
    const conditions = lists.map(({ query }) => query.plan.condition);
    const began = performance.now();
    try {
      const onBegin = (areCounted: readonly boolean[]): void => {
        const now = performance.now();
        for (const [place, one] of lists.entries())
          one.begunAt = areCounted[place] === true ? now : undefined;
      };
      const leastMs = this.#parts.leastCountMs;
      const outcomes = await moment.countLists(conditions, { leastMs, onBegin });
      const countMs = performance.now() - began;
      this.#lastCounts.set(rows.name, countMs);
      for (const [place, one] of lists.entries()) this.#note(one, outcomes[place], countMs);
    } catch (error) {
      // One that cannot be counted keeps no others waiting.
      for (const { query } of lists) this.#waiting.delete(query.totalKey);
      throw error;
    }
  }

  #note(one: WaitingCount, outcome: CountOutcome | undefined, countMs: number): void {
    if (outcome === undefined) return;
    const { totalKey } = one.query;
    this.#waiting.delete(totalKey);
    if (outcome === 'known') this.#foundFor.set(totalKey, one.caller);
    if (outcome === 'refused') this.#lists.noteRefused(totalKey);
    else if (outcome === 'known') this.#lists.noteKept(totalKey, countMs);
    else if (++one.tries < MOST_TRIES) this.#waiting.add(one.caller, totalKey, one);
  }
}

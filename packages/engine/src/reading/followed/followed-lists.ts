import { LRUCache } from 'lru-cache';

import { firstCaller, recordShape, shapeOf } from '../../sources/read-call.ts';
import { timed } from '../../sources/reads/page.ts';
import { NO_ROWS } from '../../sources/reads/record.ts';
import type {
  FollowedChanges,
  PageRows,
  ReadCall,
  Reads,
  RecordRows,
  RelationMoment,
  Snapshot,
  Versioned,
} from '../../sources/source.ts';
import {
  fromNearerEnd,
  type PageRange,
  rowsBy,
  type RowsStatement,
} from '../../sql/query-statements.ts';
import type { PreparedQuery } from '../../sql/prepared/prepared-query.ts';
import type { HitCounter } from '../cache-stats.ts';
import {
  type KnownLists,
  type KnownPath,
  isWhole,
  type ListQuestion,
  type PageQuestion,
  type RecordQuestion,
  wholePage,
} from '../reader.ts';
import type { FollowedIndexes } from './followed-indexes.ts';
import { type FollowedRows, followedRows, isLogged } from './followed-rows.ts';
import type { FollowedTotals } from './followed-totals.ts';
import { seekFrom } from '../unchanged/page-index.ts';
import { readRecord } from '../records/read-record.ts';

const MOST_LISTS = 1000;

export interface FollowedListsParts {
  readonly source: Reads<'page'>;
  readonly changes: Pick<FollowedChanges, 'during' | 'follows'>;
  readonly totals: Pick<FollowedTotals, 'want' | 'has' | 'noteUse' | 'foundFor'>;
  readonly counter: HitCounter;
  readonly indexes: FollowedIndexes | undefined;
  readonly minOffset: number;
}

/** Total, deep place and rows are of one snapshot; undefined where the feed is late for it. */
export class FollowedLists implements KnownLists {
  readonly #parts: FollowedListsParts;
  readonly #lastTotals = new LRUCache<string, { readonly total: bigint }>({ max: MOST_LISTS });

  constructor(parts: FollowedListsParts) {
    this.#parts = parts;
  }

  get counter(): HitCounter {
    return this.#parts.counter;
  }

  pathTo(question: PageQuestion): KnownPath | undefined {
    if (this.#followedBy(question) === undefined) return undefined;
    const { query } = question;
    // A filtered list may not be worth following: that is no miss.
    if (!this.#parts.totals.has(query)) return isLogged(query) ? 'unknown' : undefined;
    return this.#isDeep(question) && this.#parts.indexes?.has(query) !== true ? 'long' : 'quick';
  }

  foundFor({ query }: PageQuestion): string | undefined {
    return this.#parts.totals.foundFor(query);
  }

  want(question: ListQuestion, call: ReadCall): Promise<number> | undefined {
    if (this.#followedBy(question) === undefined) return undefined;
    const { query } = question;
    const { totals, indexes } = this.#parts;
    if (!totals.has(query)) return totals.want(query, firstCaller(call));
    if ('range' in question && this.#isDeep(question) && indexes?.has(query) === false)
      indexes.want(query);
    return undefined;
  }

  #followedBy({ query }: ListQuestion): FollowedRows | undefined {
    const rows = followedRows(query);
    const isFollowed = rows && this.#parts.changes.follows(rows.relation, rows.session);
    return isFollowed === true ? rows : undefined;
  }

  #isDeep({ query, range }: Pick<PageQuestion, 'query' | 'range'>): boolean {
    const { minOffset } = this.#parts;
    const last = this.#lastTotals.get(query.totalKey);
    if (range.offset < minOffset || last === undefined) return false;
    const after = last.total - range.offset - BigInt(range.size);
    return after >= minOffset || query.statements.reversed === undefined;
  }

  async page(question: PageQuestion, call: ReadCall): Promise<PageRows | undefined> {
    const isFirst = question.range.offset < this.#parts.minOffset;
    const page = await (isFirst && isLogged(question.query)
      ? this.#readFirst(question, call)
      : this.#readRest(question, call));
    if (page !== undefined) this.#noteTotal(question.query, page);
    return page;
  }

  #noteTotal(query: PreparedQuery, { total }: Pick<PageRows, 'total'>): void {
    this.#parts.totals.noteUse(query);
    this.#lastTotals.set(query.totalKey, { total });
  }

  async #readFirst({ query, range }: PageQuestion, call: ReadCall): Promise<PageRows | undefined> {
    const started = performance.now();
    const asked = rowsBy(query.statements, query.statements.rows, range);
    const { followedTotal: total, ...read } = await this.#parts.source.read(
      { kind: 'page', asked },
      call,
    );
    return total === undefined ? undefined : wholePage(timed(read, started), total, range);
  }

  async record(question: RecordQuestion, call: ReadCall): Promise<RecordRows | undefined> {
    const rows = this.#followedBy(question);
    const { query, size } = question;
    if (rows === undefined || !this.#parts.totals.has(query)) return undefined;
    const shape = recordShape(query.statements, this.#parts.indexes?.has(query) === true);
    const page = await this.#during(rows, { ...call, shape }, (snapshot, moment) =>
      this.#readRecordIn(snapshot, moment, question),
    );
    if (page === undefined || page.offset === undefined) return page;
    this.#noteTotal(query, page);
    const range = { size, offset: page.offset };
    if (this.#isDeep({ query, range }) && this.#parts.indexes?.has(query) === false)
      this.#parts.indexes.want(query);
    return isWhole(page, range) ? page : undefined;
  }

  /** What is read has the version of the moment. */
  async #during<Page>(
    { relation, session }: FollowedRows,
    call: ReadCall,
    read: (snapshot: Snapshot, moment: RelationMoment) => Promise<Page | undefined>,
  ): Promise<(Page & Versioned) | undefined> {
    const found = await this.#parts.changes.during(
      relation,
      async (snapshot, moment) => ({
        version: moment.version,
        page: await read(snapshot, moment),
      }),
      { ...call, session },
    );
    return found?.page && { ...found.page, version: found.version };
  }

  async #readRecordIn(snapshot: Snapshot, moment: RelationMoment, question: RecordQuestion) {
    const { query } = question;
    const statements = query.records;
    const checkpoints = await this.#parts.indexes?.checkpoints(moment, query);
    const total = await moment.total(query.plan.condition);
    if (total === undefined || statements === undefined) return undefined;
    const locate = (range: PageRange): RowsStatement | undefined => {
      const nearest = fromNearerEnd(query.statements, range, total);
      const seek = checkpoints && seekFrom(checkpoints, query, range);
      return nearest && seek && seek.bindings.offset < nearest.bindings.offset ? seek : nearest;
    };
    return readRecord(snapshot, { question, statements, checkpoints, total, locate });
  }

  async #readRest(question: PageQuestion, call: ReadCall): Promise<PageRows | undefined> {
    const { query, range } = question;
    const rows = followedRows(query);
    if (rows === undefined) return undefined;
    const shape = shapeOf(`followed ${query.statements.rows.sql}`, range);
    return this.#during(rows, { ...call, shape }, (snapshot, moment) =>
      this.#readIn(snapshot, moment, question),
    );
  }

  async #readIn(snapshot: Snapshot, moment: RelationMoment, { query, range }: PageQuestion) {
    const started = performance.now();
    const { minOffset, indexes } = this.#parts;
    if (range.offset < minOffset) {
      const asked = snapshot.rows(rowsBy(query.statements, query.statements.rows, range));
      const [read, total] = await Promise.all([asked, moment.total(query.plan.condition)]);
      return total === undefined ? undefined : wholePage(timed(read, started), total, range);
    }
    // Asking for the index brings the total of a filtered list too.
    const index = this.#isDeep({ query, range }) ? await indexes?.of(moment, query) : undefined;
    const total = await moment.total(query.plan.condition);
    if (total === undefined) return undefined;
    let path = fromNearerEnd(query.statements, range, total);
    if (path !== undefined && path.bindings.offset >= minOffset) {
      const known = index ?? (await indexes?.of(moment, query));
      path = indexes?.locate(known, query, range) ?? path;
    }
    const read = path === undefined ? NO_ROWS : await snapshot.rows(path);
    return wholePage(timed(read, started), total, range);
  }
}

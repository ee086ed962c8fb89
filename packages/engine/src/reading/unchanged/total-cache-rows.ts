import { firstCaller } from '../../sources/callers.ts';
import type { PageRows, ReadCall, Reads, RowsRead } from '../../sources/source.ts';
import type { PreparedQuery } from '../../sql/prepared/prepared-query.ts';
import type { RowsStatement } from '../../sql/query-statements.ts';
import type { HitCounter, MechanismCounters } from '../cache-stats.ts';
import type { CachedTotal } from '../facts.ts';
import type { Knowledge } from './knowledge.ts';
import type { PageQuestion } from '../reader.ts';
import { isTooLarge, TOO_LARGE } from '../too-large.ts';

/** What the pages of cached totals are read with. */
export interface TotalCacheRowsParts {
  readonly source: Reads<'rows'>;
  readonly knowledge: Knowledge;
  readonly counters: MechanismCounters;
}

/** Reads the rows alone of pages whose total is cached. */
export class TotalCacheRows {
  readonly #source: Reads<'rows'>;
  readonly #knowledge: Knowledge;
  readonly #backwards: HitCounter;

  constructor({ source, knowledge, counters }: TotalCacheRowsParts) {
    this.#source = source;
    this.#knowledge = knowledge;
    this.#backwards = counters.create('read_backwards');
  }

  /** The page; undefined where its rows are not of the version that has the total. */
  async read(
    { query, range }: PageQuestion,
    known: CachedTotal,
    call: ReadCall,
  ): Promise<PageRows | undefined> {
    const started = performance.now();
    const path = this.#knowledge.locate(query, range, known);
    this.#knowledge.want(query, { range, known, caller: firstCaller(call) });
    const read =
      path === undefined ? await this.#readNothing(query) : await this.#readRows(path, call);
    if (read === undefined) return TOO_LARGE;
    this.#knowledge.observe(query, read.version);
    const rest = Math.max(0, Number(known.total - range.offset));
    if (read.version !== known.version || read.rows !== Math.min(range.size, rest))
      return undefined;
    const milliseconds = { rows: performance.now() - started, count: 0 };
    return { ...read, total: known.total, milliseconds };
  }

  /** A page past the end has no rows that could have a version. */
  async #readNothing(query: PreparedQuery): Promise<RowsRead> {
    return { json: '[]', rows: 0, version: await this.#knowledge.currentVersion(query) };
  }

  /** The rows; undefined where they are more than the database can return at once. */
  async #readRows(path: RowsStatement, call: ReadCall): Promise<RowsRead | undefined> {
    if (path.reversed) this.#backwards.count(true);
    return this.#source.read({ kind: 'rows', asked: path }, call).catch((error: unknown) => {
      if (isTooLarge(error)) return undefined;
      throw error;
    });
  }
}

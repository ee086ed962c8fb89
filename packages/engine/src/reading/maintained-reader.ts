import type {
  PageRows,
  ReadCall,
  RelationMoment,
  RowsRead,
  Snapshot,
  Source,
  Versioned,
} from '../sources/source.ts';
import { followedShape } from '../sources/statement-shape.ts';
import { fromNearerEnd } from '../sql/nearer-end.ts';
import type { PreparedQuery } from '../sql/prepared-query.ts';
import type { RowsStatement } from '../sql/query-statements.ts';
import type { HitCounter, MechanismCounters } from './cache-stats.ts';
import type { FollowedWork } from './followed-work.ts';
import type { MaintainedIndexes } from './maintained-indexes.ts';
import type { PageQuestion, PageReader } from './reader.ts';
import { isTooLarge, TOO_LARGE } from './too-large.ts';

type FollowingSource = Pick<Source, 'readRows' | 'readFollowed' | 'knowsTotal' | 'versionScope'>;

/** What a maintained reader is made of. */
export interface MaintainedReaderParts {
  readonly source: FollowingSource;
  readonly counters: MechanismCounters;
  /** Counts the rows of relations. */
  readonly counts: Pick<FollowedWork, 'begin'>;
  readonly indexes: MaintainedIndexes | undefined;
  /** Pages that are nearer to an end of their list are read from there. */
  readonly minOffset: number;
}

/** A page of a followed state; the page is undefined where it was not read. */
interface StatePage extends Versioned {
  readonly page: PageRows | undefined;
}

/**
 * Where the changes of a relation are followed, answers pages of all its records without a count:
 * the total is that of the rows' own snapshot, and so is the place of a deep page. What cannot be
 * had in a short time is left to the next link.
 */
export class MaintainedReader implements PageReader {
  readonly #parts: MaintainedReaderParts;
  readonly #next: PageReader;
  readonly #counter: HitCounter;
  /** The totals that were seen last, by relation: about how long its lists are. */
  readonly #lastTotals = new Map<string, bigint>();

  constructor(parts: MaintainedReaderParts, next: PageReader) {
    this.#parts = parts;
    this.#next = next;
    this.#counter = parts.counters.create('maintained_total');
  }

  async read(question: PageQuestion, call: ReadCall): Promise<PageRows> {
    const page = this.#serves(question) ? await this.#readFollowed(question, call) : undefined;
    return page ?? this.#next.read(question, call);
  }

  /** A condition, a row policy too, leaves fewer records than the relation has rows. */
  #serves({ query: { plan }, relation }: PageQuestion): boolean {
    const { model, condition } = plan;
    if (condition !== undefined || !model.versioned || !model.snapshots) return false;
    return (this.#parts.source.versionScope?.(relation) ?? '') !== '';
  }

  async #readFollowed(question: PageQuestion, call: ReadCall): Promise<PageRows | undefined> {
    const { relation, query } = question;
    const knowsTotal = this.#parts.source.knowsTotal?.(relation) === true;
    if (!knowsTotal) this.#countFor(query);
    const page = knowsTotal ? await this.#readPage(question, call) : undefined;
    this.#counter.count(page !== undefined);
    if (page !== undefined) this.#lastTotals.set(JSON.stringify(relation), page.total);
    return page;
  }

  #countFor({ statements: { relation, count } }: PreparedQuery): void {
    this.#parts.counts.begin(relation, async (snapshot, moment) => {
      if (moment.wantsTotal()) moment.learnTotal(await snapshot.count(count));
      return false;
    });
  }

  async #readPage(question: PageQuestion, call: ReadCall): Promise<PageRows | undefined> {
    const { minOffset } = this.#parts;
    try {
      if (question.range.offset < minOffset) return await this.#readFirst(question, call);
      return this.#isWorthIt(question) ? await this.#readDeep(question, call) : undefined;
    } catch (error) {
      if (isTooLarge(error)) return TOO_LARGE;
      throw error;
    }
  }

  /** The rows of a page near the beginning need not wait until the total is known. */
  async #readFirst({ query, range }: PageQuestion, call: ReadCall): Promise<PageRows | undefined> {
    const started = performance.now();
    const { relation, rows: statement, fields, maxBytes } = query.statements;
    const rows = { relation, statement, bindings: range, fields, reversed: false, maxBytes };
    const { followedTotal, ...read } = await this.#parts.source.readRows(rows, call);
    if (followedTotal === undefined) return undefined;
    return pageOf(read, { range, total: followedTotal, started });
  }

  /** Whether a deep page has a quick access path, as far as that is known before it is read. */
  #isWorthIt({ query, range, relation }: PageQuestion): boolean {
    const total = this.#lastTotals.get(JSON.stringify(relation));
    if (total === undefined) return true;
    const after = total - range.offset - BigInt(range.size);
    if (after < this.#parts.minOffset && query.statements.reversed !== undefined) return true;
    return this.#parts.indexes?.serves(query) ?? false;
  }

  async #readDeep(question: PageQuestion, call: ReadCall): Promise<PageRows | undefined> {
    const { query, range, relation } = question;
    const shape = followedShape({ query: query.statements, range });
    const read = await this.#parts.source.readFollowed?.(
      relation,
      (snapshot, moment) => this.#readIn(snapshot, moment, question),
      { ...call, shape },
    );
    return read?.page && { ...read.page, version: read.version };
  }

  async #readIn(
    snapshot: Snapshot,
    moment: RelationMoment,
    { query, range }: PageQuestion,
  ): Promise<StatePage> {
    const started = performance.now();
    const { version } = moment;
    const total = moment.total();
    if (total === undefined) return { version, page: undefined };
    const path = this.#locate(moment, { query, range }, total);
    const read = path === undefined ? { json: '[]', rows: 0, version } : await snapshot.rows(path);
    return { version, page: pageOf(read, { range, total, started }) };
  }

  /** The path to a page at the least cost; undefined for a page past the end. */
  #locate(
    moment: RelationMoment,
    { query, range }: Pick<PageQuestion, 'query' | 'range'>,
    total: bigint,
  ): RowsStatement | undefined {
    const nearest = fromNearerEnd(query.statements, range, total);
    if (nearest === undefined || nearest.bindings.offset < this.#parts.minOffset) return nearest;
    return this.#parts.indexes?.locate(moment, query, range) ?? nearest;
  }
}

/** A page with its total; undefined where its rows are not those that the total says. */
function pageOf(
  read: RowsRead,
  {
    range,
    total,
    started,
  }: { readonly range: PageQuestion['range']; readonly total: bigint; readonly started: number },
): PageRows | undefined {
  const rest = total > range.offset ? total - range.offset : 0n;
  if (BigInt(read.rows) !== (rest < BigInt(range.size) ? rest : BigInt(range.size)))
    return undefined;
  return { ...read, total, milliseconds: { rows: performance.now() - started, count: 0 } };
}

import { QueryFailedError } from '../errors.ts';
import { NOBODY } from '../sources/callers.ts';
import type { PageRows, ReadCall, RowsRead, Source } from '../sources/source.ts';
import type { PageRange, RowsStatement } from '../sql/query-statements.ts';
import type { Cache, CacheStore } from '../cache-store.ts';
import type { DataVersion } from './data-version.ts';
import type { Waiters } from './single-flight.ts';
import type { PreparedQuery } from '../sql/prepared-query.ts';
import { type Acceleration, type MechanismStatistics, HitCounter } from './acceleration.ts';
import { type AccessPaths, NEARER_END } from './access-paths.ts';
import { MechanismCounters } from './cache-stats.ts';
import { IndexBuilder } from './index-builder.ts';
import { PageIndexes } from './page-indexes.ts';
import { type ReadBatch, CountBatcher } from './count-batcher.ts';
import type { KnownTotal } from './facts.ts';
import { TotalCache } from './total-cache.ts';

/** A page of a list, and how long it may take. */
export interface PageQuestion {
  readonly query: PreparedQuery;
  readonly range: PageRange;
  readonly call: ReadCall;
}

/** Where a page with its total took longer than this, in milliseconds, callers share the count. */
const DEAR_MS = 10;

/**
 * Where rows cost more than the count, so many groups are read at a time: what they win by one
 * count they would lose by waiting.
 */
const MOST_GROUPS = 4;

/** Elements behind so many others take their time to be found. */
const DEEP = 1000n;

/** What is known of a list's cost. */
interface Cost {
  /** How long a page with its total took, in milliseconds. */
  readonly milliseconds?: number;
  /** Whether the rows of pages took longer than the count that they shared. */
  readonly slowRows?: boolean;
}

const COST_BYTES = 50;

/** What a page is read by. */
export interface PageReaderParts {
  readonly source: Source;
  readonly version: DataVersion;
  readonly settings: Acceleration;
  readonly store: CacheStore;
}

/**
 * Reads pages. Where the total is known for a version of the data, only the rows are read, from the
 * nearest place that leads to them; if their version is not that of the total, or where nothing is
 * known, rows and total are read from one snapshot.
 */
export class PageReader {
  readonly #source: Source;
  readonly #version: DataVersion;
  readonly #settings: Acceleration;
  readonly #totals: TotalCache;
  readonly #counters = new MechanismCounters();
  readonly #builder: IndexBuilder;
  readonly #paths: AccessPaths;
  readonly #counts: CountBatcher;
  readonly #countTally = new HitCounter('shared_counts');
  readonly #backwards = new HitCounter('read_backwards');
  readonly #proofs = new HitCounter('short_page_proof');
  readonly #costs: Cache<Cost>;

  constructor({ source, version, settings, store }: PageReaderParts) {
    this.#source = source;
    this.#version = version;
    this.#settings = settings;
    this.#totals = new TotalCache(version, store);
    this.#builder = new IndexBuilder(source, settings.indexBuildMs);
    this.#paths = settings.pageIndex
      ? new PageIndexes({
          store,
          counters: this.#counters,
          builder: this.#builder,
          minOffset: settings.pageIndexMinOffset,
        })
      : NEARER_END;
    this.#costs = store.cache('cost ', { sizeOf: () => COST_BYTES });
    const pageWithTotal: ReadBatch = (questions, waiters) =>
      this.#readPageWithTotal(questions, waiters);
    this.#counts = new CountBatcher(pageWithTotal, (question) =>
      this.#hasSlowRows(question) ? MOST_GROUPS : 1,
    );
  }

  get statistics(): MechanismStatistics[] {
    const tallies = [this.#proofs, this.#totals.tally, this.#countTally, this.#backwards];
    const indexes = this.#counters.statistics.filter(({ mechanism }) => mechanism === 'page_index');
    return [...tallies.map(({ statistics }) => statistics), ...indexes];
  }

  /** @throws {QueryFailedError} when the database gives no answer, in time or at all. */
  async read(question: PageQuestion): Promise<PageRows> {
    return this.#read(question).catch(withoutRecords);
  }

  async #read(question: PageQuestion): Promise<PageRows> {
    const { totalKey, plan } = question.query;
    const known = this.#knows(question) ? this.#totals.get(totalKey) : undefined;
    const page = known && (await this.#readRows(question, known));
    if (this.#knows(question)) this.#totals.tally.count(page !== undefined);
    if (page !== undefined) return page;
    const shares =
      this.#settings.sharedReads &&
      plan.model.snapshots &&
      (this.#costs.get(totalKey)?.milliseconds ?? Infinity) > DEAR_MS;
    if (!shares) return this.#readWhole(question);
    const key = this.#countKey(question);
    this.#countTally.count(this.#counts.isBusy(key));
    return this.#counts.read(key, question);
  }

  close(): Promise<void> {
    return this.#builder.close();
  }

  /**
   * A count is shared by all callers where their rows are cheap: otherwise one caller would wait
   * for the rows of another.
   */
  #countKey(question: PageQuestion): string {
    const { query, range, call } = question;
    const slow = range.offset > DEEP || this.#hasSlowRows(question);
    const [caller = NOBODY] = call.callers ?? [];
    return slow ? `${query.totalKey}\n${caller}` : query.totalKey;
  }

  #hasSlowRows({ query }: PageQuestion): boolean {
    return this.#costs.get(query.totalKey)?.slowRows === true;
  }

  #knows({ query }: PageQuestion): boolean {
    return this.#settings.totalMemo && query.plan.model.versioned;
  }

  /** Reads the pages of callers who waited for one count, unless the total is known by now. */
  async #readPageWithTotal(
    questions: readonly PageQuestion[],
    waiters: Waiters,
  ): Promise<readonly PageRows[]> {
    const patient = questions.map((question) => ({
      ...question,
      call: { ...question.call, ...waiters },
    }));
    const [first] = patient;
    if (first === undefined) return [];
    const found = await this.#readKnown(patient);
    const missing = patient.filter((_question, index) => found[index] === undefined);
    const read = missing.length > 0 ? await this.#readFromOneSnapshot(missing) : [];
    let next = 0;
    return found.map((page) => page ?? read[next++]).filter((page) => page !== undefined);
  }

  /** The pages that can be read with a total which somebody else has just brought. */
  async #readKnown(questions: readonly PageQuestion[]): Promise<(PageRows | undefined)[]> {
    const [first] = questions;
    const known = first && this.#knows(first) ? this.#totals.get(first.query.totalKey) : undefined;
    const stands = known !== undefined && (await this.#version.check()) === known.version;
    return Promise.all(
      questions.map(async (question) => (stands ? this.#readRows(question, known) : undefined)),
    );
  }

  async #readFromOneSnapshot(questions: readonly PageQuestion[]): Promise<PageRows[]> {
    const [first] = questions;
    if (first === undefined) return [];
    if (questions.length === 1) return [await this.#readWhole(first)];
    const pages = questions.map(({ query, range }) => ({ query: query.statements, range }));
    const read = await this.#source.readBatch(pages, first.call).catch((error: unknown) => {
      if (!isTooLarge(error)) throw error;
      // One page that is too large for the database must not cost the others of its group their
      // replies.
      return Promise.all(
        questions.map((question) => this.#readWhole(question).catch(withoutRecords)),
      );
    });
    for (const page of read) this.#remember(first.query, page);
    const dear = read.filter(({ milliseconds: { rows, count } }) => rows > count).length;
    this.#note(first.query, { slowRows: dear * 2 > read.length });
    return read;
  }

  async #readWhole({ query, range, call }: PageQuestion): Promise<PageRows> {
    const started = performance.now();
    const page = await this.#source.readPage(query.statements, range, call);
    this.#note(query, { milliseconds: performance.now() - started });
    const short = page.rows < range.size && (page.rows > 0 || range.offset === 0n);
    if (short && query.statements.shortPageProof) this.#proofs.count(true);
    this.#remember(query, page);
    return page;
  }

  #note(query: PreparedQuery, cost: Cost): void {
    this.#costs.set(query.totalKey, { ...this.#costs.peek(query.totalKey), ...cost });
  }

  #remember(query: PreparedQuery, { total, version }: PageRows): void {
    this.#version.observe(version);
    if (version !== undefined) this.#totals.set(query.totalKey, { total, version });
  }

  /** The page, if its rows are of the total's version. */
  async #readRows(question: PageQuestion, known: KnownTotal): Promise<PageRows | undefined> {
    const { range, call } = question;
    const started = performance.now();
    const way = this.#wayTo(question, known);
    const read = way === undefined ? await this.#nothing() : await this.#source.readRows(way, call);
    this.#version.observe(read.version);
    const rest = known.total - range.offset;
    const expected = way === undefined ? 0 : Math.min(range.size, Number(rest));
    const milliseconds = { rows: performance.now() - started, count: 0 };
    const fits = read.version === known.version && read.rows === expected;
    return fits ? { ...read, total: known.total, milliseconds } : undefined;
  }

  /** A page past the end has no rows that could tell their version. */
  async #nothing(): Promise<RowsRead> {
    return { json: '[]', rows: 0, version: await this.#version.check() };
  }

  #wayTo({ query, range }: PageQuestion, known: KnownTotal): RowsStatement | undefined {
    const way = this.#paths.locate(query, range, known);
    if (way?.reversed === true) this.#backwards.count(true);
    return way;
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof QueryFailedError && error.code === 'reply_too_large';
}

/**
 * The page that a reply which the database itself could not hold stands for: nobody is shown its
 * numbers.
 */
function withoutRecords(error: unknown): PageRows {
  if (!isTooLarge(error)) throw error;
  return {
    json: undefined,
    rows: 0,
    total: 0n,
    version: undefined,
    milliseconds: { rows: 0, count: 0 },
  };
}

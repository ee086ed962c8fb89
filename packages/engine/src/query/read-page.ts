import { fromNearerEnd } from '../sources/nearer-end.ts';
import type { PageRows, Patience, RowsRead, RowsStatement, Source, Window } from '../sources/source.ts';
import type { DataVersion } from './data-version.ts';
import type { List } from './list.ts';
import { type Acceleration, type MechanismStatistics, Tally } from './mechanisms.ts';
import { PageIndexes } from './page-index.ts';
import { type KnownTotal, TotalMemo } from './total-memo.ts';

/** A page of a list, and how long it may take. */
export interface PageQuestion {
  readonly list: List;
  readonly window: Window;
  readonly patience: Patience;
}

/**
 * Reads pages. Where the total is known for a version of the data, only the rows are read, from the nearest place that leads to them; if
 * their version is not that of the total, or where nothing is known, rows and total are read from one snapshot.
 */
export class PageReader {
  readonly #source: Source;
  readonly #version: DataVersion;
  readonly #settings: Acceleration;
  readonly #totals: TotalMemo;
  readonly #indexes: PageIndexes;
  readonly #backwards = new Tally('read_backwards');
  readonly #proofs = new Tally('short_page_proof');

  constructor(source: Source, version: DataVersion, settings: Acceleration) {
    this.#source = source;
    this.#version = version;
    this.#settings = settings;
    this.#totals = new TotalMemo(version);
    this.#indexes = new PageIndexes(source, settings.memoryBytes / 2);
  }

  get statistics(): MechanismStatistics[] {
    return [this.#proofs, this.#totals.tally, this.#backwards, this.#indexes.tally].map(({ statistics }) => statistics);
  }

  /** @throws {QueryFailedError} when the database gives no answer, in time or at all. */
  async read(question: PageQuestion): Promise<PageRows> {
    if (!this.#settings.totalMemo || !question.list.plan.model.versioned) return this.#readWhole(question);
    const { totalKey } = question.list;
    const started = performance.now();
    const known = this.#totals.get(totalKey) ?? (await this.#totals.wait(totalKey, question.patience.signal));
    const page = known && (await this.#readRows(question, known));
    if (known !== undefined && page === undefined) this.#totals.waitedInVain(totalKey, performance.now() - started);
    this.#totals.tally.count(page !== undefined);
    return page ?? this.#totals.share(totalKey, this.#readWhole(question));
  }

  close(): Promise<void> {
    return this.#indexes.close();
  }

  async #readWhole({ list, window, patience }: PageQuestion): Promise<PageRows> {
    const page = await this.#source.readPage(list.statements, window, patience);
    this.#version.observe(page.version);
    if (page.version !== undefined) this.#totals.set(list.totalKey, { total: page.total, version: page.version });
    return page;
  }

  /** The page, if its rows are of the total's version. */
  async #readRows(question: PageQuestion, known: KnownTotal): Promise<PageRows | undefined> {
    const { window, patience } = question;
    const started = performance.now();
    const way = this.#wayTo(question, known);
    const read = way === undefined ? await this.#nothing() : await this.#source.readRows(way, patience);
    this.#version.observe(read.version);
    const rest = known.total - window.offset;
    const expected = way === undefined ? 0 : Math.min(window.size, Number(rest));
    const milliseconds = { rows: performance.now() - started, count: 0 };
    const fits = read.version === known.version && read.rows === expected;
    return fits ? { ...read, total: known.total, milliseconds } : undefined;
  }

  /** A page past the end has no rows that could tell their version. */
  async #nothing(): Promise<RowsRead> {
    return { json: '[]', rows: 0, version: await this.#version.check() };
  }

  #wayTo({ list, window }: PageQuestion, known: KnownTotal): RowsStatement | undefined {
    const way = fromNearerEnd(list.statements, window, known.total);
    if (way === undefined || !this.#settings.pageIndex || way.filling.offset < this.#settings.pageIndexMinOffset) {
      if (way?.reversed === true) this.#backwards.count(true);
      return way;
    }
    const seek = this.#indexes.find(list, known, window);
    this.#indexes.tally.count(seek !== undefined);
    if (seek === undefined) this.#indexes.want(list, known);
    return seek ?? way;
  }
}

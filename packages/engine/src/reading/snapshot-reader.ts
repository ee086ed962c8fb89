import { withTotal } from '../sources/reads/page.ts';
import type { PageFound, PageRows, ReadCall, Reads } from '../sources/source.ts';
import type { PageRange } from '../sql/query-statements.ts';
import type { HitCounter, MechanismCounters } from './cache-stats.ts';
import { type PageBatchReader, type PageQuestion, pageTooLarge } from './reader.ts';
import type { QueryCosts } from './sharing/query-costs.ts';

export class SnapshotReader implements PageBatchReader {
  readonly #source: Reads<'page' | 'pages'>;
  readonly #costs: QueryCosts;
  readonly #shortPages: HitCounter;

  constructor(source: Reads<'page' | 'pages'>, costs: QueryCosts, counters: MechanismCounters) {
    this.#source = source;
    this.#costs = costs;
    this.#shortPages = counters.create('short_page_proof');
  }

  async read(question: PageQuestion, call: ReadCall): Promise<PageRows> {
    const started = performance.now();
    const { query, range } = question;
    const asked = { query: query.statements, range };
    const page = await this.#source
      .read({ kind: 'page', asked }, call)
      .then((found) => this.#withTotal(found, range), pageTooLarge);
    this.#costs.notePage(query, performance.now() - started);
    return page;
  }

  async readBatch(questions: readonly PageQuestion[], call: ReadCall): Promise<PageRows[]> {
    const [first, ...others] = questions;
    if (first === undefined) return [];
    // A page alone may have a quicker way than a batch.
    if (others.length === 0) return [await this.read(first, call)];
    const asked = questions.map(({ query, range }) => ({ query: query.statements, range }));
    const { pages, version } = await this.#source.read({ kind: 'pages', asked }, call);
    const read = pages.map((page, index) =>
      withTotal({ ...page, version }, questions[index]?.range),
    );
    this.#costs.noteBatch(first.query, read);
    return read;
  }

  /** @param found without a count its rows proved the total */
  #withTotal(found: PageFound, range: PageRange): PageRows {
    const [total] = found.numbers ?? [];
    if (found.json !== undefined && typeof total !== 'bigint') this.#shortPages.count(true);
    return withTotal(found, range);
  }
}

import type { PageRows, ReadCall, Reads } from '../sources/source.ts';
import type { HitCounter, MechanismCounters } from './cache-stats.ts';
import type { PageBatchReader, PageQuestion } from './reader.ts';
import type { QueryCosts } from './sharing/query-costs.ts';
import { isTooLarge, pageTooLarge } from './too-large.ts';

/**
 * Reads pages with their totals, each page and its total from one snapshot, and notes what that
 * costs.
 */
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
    const page = await this.#source.read({ kind: 'page', asked }, call).catch(pageTooLarge);
    if (provesTotal(question, page)) this.#shortPages.count(true);
    this.#costs.notePage(query, performance.now() - started);
    return page;
  }

  async readBatch(questions: readonly PageQuestion[], call: ReadCall): Promise<PageRows[]> {
    const [first, ...others] = questions;
    if (first === undefined) return [];
    // One page alone may be read in a quicker way than a batch.
    if (others.length === 0) return [await this.read(first, call)];
    const asked = questions.map(({ query, range }) => ({ query: query.statements, range }));
    try {
      const { pages, version } = await this.#source.read({ kind: 'pages', asked }, call);
      this.#costs.noteBatch(first.query, pages);
      return pages.map((page) => ({ ...page, version }));
    } catch (error) {
      if (!isTooLarge(error)) throw error;
      // One page is too large for the database: each page of the batch is read alone, so that only
      // that one fails.
      return Promise.all(questions.map((question) => this.read(question, call)));
    }
  }
}

/** Whether the total was known from the page alone. */
function provesTotal({ query, range }: PageQuestion, { json, rows }: PageRows): boolean {
  const short = rows < range.size && (rows > 0 || range.offset === 0n);
  return short && json !== undefined && query.statements.shortPageProof;
}

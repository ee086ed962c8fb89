import type { PageRows, ReadCall, Reads } from '../sources/source.ts';
import type { HitCounter, MechanismCounters } from './cache-stats.ts';
import type { PageBatchReader, PageQuestion } from './reader.ts';
import { isTooLarge, pageTooLarge } from './too-large.ts';

/**
 * The end of the chain: reads pages with their totals, each page and its total from one snapshot.
 */
export class SnapshotReader implements PageBatchReader {
  readonly #source: Reads<'page' | 'pages'>;
  readonly #shortPages: HitCounter;

  constructor(source: Reads<'page' | 'pages'>, counters: MechanismCounters) {
    this.#source = source;
    this.#shortPages = counters.create('short_page_proof');
  }

  async read(question: PageQuestion, call: ReadCall): Promise<PageRows> {
    const { query, range } = question;
    const asked = { query: query.statements, range };
    const page = await this.#source.read({ kind: 'page', asked }, call).catch(pageTooLarge);
    if (provesTotal(question, page)) this.#shortPages.count(true);
    return versioned(question, page);
  }

  async readBatch(questions: readonly PageQuestion[], call: ReadCall): Promise<PageRows[]> {
    const asked = questions.map(({ query, range }) => ({ query: query.statements, range }));
    try {
      const { pages, version } = await this.#source.read({ kind: 'pages', asked }, call);
      return pages.map((page, index) => versioned(questions[index], { ...page, version }));
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

/**
 * Removes the version from the page of a list that may change without a change of the version, such
 * as that of some views.
 */
function versioned(question: PageQuestion | undefined, page: PageRows): PageRows {
  return question?.query.plan.facts.versioned === true ? page : { ...page, version: undefined };
}

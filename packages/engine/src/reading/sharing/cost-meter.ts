import type { PageRows, ReadCall } from '../../sources/source.ts';
import type { QueryCosts } from './query-costs.ts';
import type { PageBatchReader, PageQuestion } from '../reader.ts';

/** Notes what it costs the next link to read pages with their totals. */
export class CostMeter implements PageBatchReader {
  readonly #costs: QueryCosts;
  readonly #next: PageBatchReader;

  constructor(costs: QueryCosts, next: PageBatchReader) {
    this.#costs = costs;
    this.#next = next;
  }

  async read(question: PageQuestion, call: ReadCall): Promise<PageRows> {
    const started = performance.now();
    const page = await this.#next.read(question, call);
    this.#costs.notePage(question.query, performance.now() - started);
    return page;
  }

  async readBatch(
    questions: readonly PageQuestion[],
    call: ReadCall,
  ): Promise<readonly PageRows[]> {
    const [first, ...others] = questions;
    if (first === undefined) return [];
    // One page alone may be read in a quicker way than a batch.
    if (others.length === 0) return [await this.read(first, call)];
    const pages = await this.#next.readBatch(questions, call);
    this.#costs.noteBatch(first.query, pages);
    return pages;
  }
}

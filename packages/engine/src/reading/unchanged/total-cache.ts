import type { PreparedQuery } from '../../sql/prepared/prepared-query.ts';
import { firstCaller } from '../../sources/callers.ts';
import type { PageRows, ReadCall } from '../../sources/source.ts';
import type { CachedTotal } from '../facts.ts';
import type { Knowledge } from './knowledge.ts';
import type { UnchangedLists } from './unchanged-lists.ts';
import type { PageBatchReader, PageQuestion } from '../reader.ts';

/** What the links of cached totals share. */
export interface TotalCacheParts {
  readonly knowledge: Knowledge;
  readonly unchanged: Pick<UnchangedLists, 'pageOf'>;
}

/**
 * Answers a batch of pages that waited for a count, without another count if the total was found
 * meanwhile. The version of the data is checked once before the rows of the pages are read.
 */
export class TotalCacheBatchReader implements PageBatchReader {
  readonly #knowledge: Knowledge;
  readonly #unchanged: TotalCacheParts['unchanged'];
  readonly #next: PageBatchReader;

  constructor({ knowledge, unchanged }: TotalCacheParts, next: PageBatchReader) {
    this.#knowledge = knowledge;
    this.#unchanged = unchanged;
    this.#next = next;
  }

  async read(question: PageQuestion, call: ReadCall): Promise<PageRows> {
    const page = await this.#next.read(question, call);
    this.#learn(question.query, page, call);
    return page;
  }

  async readBatch(
    questions: readonly PageQuestion[],
    call: ReadCall,
  ): Promise<readonly PageRows[]> {
    const found = await this.#readCached(questions, call);
    const missing = questions.filter((_question, index) => found[index] === undefined);
    const read = missing.length > 0 ? await this.#next.readBatch(missing, call) : [];
    missing.forEach(({ query }, index) => this.#learn(query, read[index], call));
    let next = 0;
    return found.flatMap((page) => page ?? read[next++] ?? []);
  }

  #learn(query: PreparedQuery, page: PageRows | undefined, call: ReadCall): void {
    const foundFor = firstCaller(call);
    if (page !== undefined) this.#knowledge.learn(query, { ...page, foundFor });
  }

  async #readCached(
    questions: readonly PageQuestion[],
    call: ReadCall,
  ): Promise<(PageRows | undefined)[]> {
    const known = await this.#currentTotal(questions[0]);
    if (known === undefined) return questions.map(() => undefined);
    return Promise.all(questions.map((question) => this.#unchanged.pageOf(question, known, call)));
  }

  async #currentTotal(question: PageQuestion | undefined): Promise<CachedTotal | undefined> {
    if (question === undefined) return undefined;
    const known = this.#knowledge.total(question.query);
    if (known === undefined) return undefined;
    return (await this.#knowledge.currentVersion(question.query)) === known.version
      ? known
      : undefined;
  }
}

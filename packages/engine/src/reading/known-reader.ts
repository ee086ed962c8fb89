import type { PageRows, ReadCall } from '../sources/source.ts';
import type { KnownLists, KnownPath } from './known-lists.ts';
import type { PageQuestion, PageReader } from './reader.ts';

/** What is tried at first. A total that is not known is a miss. */
const QUICK: readonly KnownPath[] = ['quick', 'unknown'];

/** What is tried then, as it still takes no count. */
const LONG: readonly KnownPath[] = ['long'];

/**
 * Answers pages whose total is known: by the quickest path, and before a count even by a long one.
 * Whatever takes longer is noted.
 */
export class KnownReader implements PageReader {
  readonly #lists: readonly KnownLists[];
  readonly #next: PageReader;

  constructor(lists: readonly KnownLists[], next: PageReader) {
    this.#lists = lists;
    this.#next = next;
  }

  async read(question: PageQuestion, call: ReadCall): Promise<PageRows> {
    for (const lists of this.#lists) lists.want(question);
    const quick = await this.#readBy(QUICK, question, call);
    if (quick !== undefined) return quick;
    const long = await this.#readBy(LONG, question, call);
    const read = long ?? (await this.#next.read(question, call));
    for (const lists of this.#lists) lists.learn(question, read);
    return read;
  }

  async #readBy(
    paths: readonly KnownPath[],
    question: PageQuestion,
    call: ReadCall,
  ): Promise<PageRows | undefined> {
    for (const lists of this.#lists) {
      const path = lists.pathTo(question);
      if (path === undefined || !paths.includes(path)) continue;
      const page = path === 'unknown' ? undefined : await lists.page(question, call);
      lists.counter.count(page !== undefined);
      if (page !== undefined) return page;
    }
    return undefined;
  }
}

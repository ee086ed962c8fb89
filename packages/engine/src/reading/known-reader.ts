import { waitOrAbort } from '../deadline.ts';
import { firstCaller } from '../sources/callers.ts';
import type { PageRows, ReadCall } from '../sources/source.ts';
import type { KnownLists, KnownPath } from './known-lists.ts';
import type { PageQuestion, PageReader } from './reader.ts';
import { useOf } from './session-use.ts';

/** The paths that are tried first. `unknown` is among them only to be counted as a miss. */
const QUICK: readonly KnownPath[] = ['quick', 'unknown'];

/** Tried next: the page still takes no count. */
const LONG: readonly KnownPath[] = ['long'];

/**
 * Answers pages whose total is known. Quick paths are tried first, then long ones, which still save
 * the count; otherwise the next link reads the page.
 */
export class KnownReader implements PageReader {
  readonly #lists: readonly KnownLists[];
  readonly #next: PageReader;

  constructor(lists: readonly KnownLists[], next: PageReader) {
    this.#lists = lists;
    this.#next = next;
  }

  async read(question: PageQuestion, call: ReadCall): Promise<PageRows> {
    const wanted = this.#wanted(question, call);
    if (wanted.length > 0) await waitOrAbort(Promise.all(wanted), call.signal);
    const quick = await this.#readBy(QUICK, question, call);
    if (quick !== undefined) return quick;
    const long = await this.#readBy(LONG, question, call);
    const read = long ?? (await this.#next.read(question, call));
    const { total, version } = read;
    const found = { total, version, foundFor: firstCaller(call) };
    for (const lists of this.#lists) lists.learn(question, found);
    return read;
  }

  /** Resolve when a total is known that is about to be counted; none where another path is. */
  #wanted(question: PageQuestion, call: ReadCall): Promise<void>[] {
    const wanted = this.#lists.flatMap((lists) => lists.want(question, call) ?? []);
    const paths = this.#lists.map((lists) => lists.pathTo(question));
    return paths.some((path) => path === 'quick' || path === 'long') ? [] : wanted;
  }

  async #readBy(
    paths: readonly KnownPath[],
    question: PageQuestion,
    call: ReadCall,
  ): Promise<PageRows | undefined> {
    for (const lists of this.#lists) {
      const path = lists.pathTo(question);
      if (path === undefined || !paths.includes(path)) continue;
      const use = useOf(question.session, lists.foundFor?.(question), call);
      const page = path === 'unknown' ? undefined : await lists.page(question, call);
      lists.counter.count(page !== undefined, use);
      if (page !== undefined) return page;
    }
    return undefined;
  }
}

import { QueryFailedError } from '../errors.ts';
import type { PageRows } from '../sources/source.ts';
import type { PageQuestion } from './read-page.ts';

/** Reads the pages of several callers from one snapshot, with one count. */
export type ReadTogether = (questions: readonly PageQuestion[], signal: AbortSignal) => Promise<readonly PageRows[]>;

/** Who waits for a list, and how many groups of it are being read. */
interface Queue {
  readonly members: Member[];
  serving: number;
}

/** A transaction does not hold on longer than for so many pages. */
const LARGEST_GROUP = 32;

/**
 * Lets callers who ask for pages of one list share its count: while it is counted for one of them, the others wait, and are then served
 * together from one snapshot, which is taken after the last of them has come.
 */
export class SharedCount {
  readonly #readTogether: ReadTogether;
  readonly #lanes: (key: string) => number;
  readonly #queues = new Map<string, Queue>();

  /** @param lanes how many groups of a list may be read at a time */
  constructor(readTogether: ReadTogether, lanes: (key: string) => number = () => 1) {
    this.#readTogether = readTogether;
    this.#lanes = lanes;
  }

  /** Whether somebody counts the list now. */
  isBusy(key: string): boolean {
    return this.#queues.has(key);
  }

  /** @throws {QueryFailedError} as the source does, or `cancelled` or `query_timeout` while waiting. */
  read(key: string, question: PageQuestion): Promise<PageRows> {
    const member = new Member(question);
    const queue = this.#queues.get(key) ?? { members: [], serving: 0 };
    this.#queues.set(key, queue);
    queue.members.push(member);
    if (queue.serving < this.#lanes(key)) void this.#serve(key, queue);
    return member.page;
  }

  async #serve(key: string, queue: Queue): Promise<void> {
    queue.serving += 1;
    while (queue.members.length > 0) {
      const group = queue.members.splice(0, LARGEST_GROUP).filter((member) => !member.left);
      if (group.length > 0) await this.#readFor(group);
    }
    queue.serving -= 1;
    if (queue.serving === 0) this.#queues.delete(key);
  }

  async #readFor(group: readonly Member[]): Promise<void> {
    const everybodyLeft = new AbortController();
    const leave = (): void => {
      if (group.every((member) => member.left)) everybodyLeft.abort();
    };
    for (const member of group) member.onLeave = leave;
    try {
      const pages = await this.#readTogether(
        group.map((member) => member.question),
        everybodyLeft.signal,
      );
      for (const [index, member] of group.entries()) member.resolve(pages[index]);
    } catch (error) {
      for (const member of group) member.reject(error);
    }
  }
}

/** A caller with the page that is asked for. */
class Member {
  readonly question: PageQuestion;
  readonly #answer = Promise.withResolvers<PageRows>();
  readonly page: Promise<PageRows>;
  left = false;
  onLeave: () => void = () => undefined;

  constructor(question: PageQuestion) {
    const { signal, timeoutMs } = question.patience;
    this.question = question;
    const leave = (): void => this.#leave(new QueryFailedError('cancelled', 'The caller left.'));
    const expire = (): void => this.#leave(new QueryFailedError('query_timeout', `The query took longer than ${timeoutMs} ms.`));
    const timer = setTimeout(expire, timeoutMs);
    signal?.addEventListener('abort', leave, { once: true });
    this.page = this.#answer.promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
    });
    if (signal?.aborted === true) leave();
  }

  resolve(page: PageRows | undefined): void {
    if (page === undefined) this.#answer.reject(new Error('The group was read without this page.'));
    else this.#answer.resolve(page);
  }

  reject(error: unknown): void {
    this.#answer.reject(error);
  }

  #leave(reason: QueryFailedError): void {
    this.left = true;
    this.#answer.reject(reason);
    this.onLeave();
  }
}

import { waitOrAbort } from '../deadline.ts';
import { Callers } from '../sources/callers.ts';
import { FairQueue } from '../sources/fair-queue.ts';
import type { PageRows } from '../sources/source.ts';
import type { Waiters } from './single-flight.ts';
import type { PageQuestion } from './page-reader.ts';

/** Reads the pages of several callers from one snapshot, with one count. */
export type ReadBatch = (
  questions: readonly PageQuestion[],
  waiters: Waiters,
) => Promise<readonly PageRows[]>;

/** Who waits for a list, and the groups of it that are being read, each by its callers. */
interface Queue {
  readonly members: FairQueue<Member>;
  readonly groups: Set<Callers>;
}

/** A transaction does not hold on longer than for so many pages. */
const LARGEST_GROUP = 32;

/**
 * Lets callers who ask for pages of one list share its count: while it is counted for one of them,
 * the others wait, and are then served together from one snapshot, which is taken after the last of
 * them has come.
 */
export class CountBatcher {
  readonly #readPageWithTotal: ReadBatch;
  readonly #mostGroups: (question: PageQuestion) => number;
  readonly #queues = new Map<string, Queue>();

  /** @param mostGroups how many groups of a list may be read at a time */
  constructor(
    readPageWithTotal: ReadBatch,
    mostGroups: (question: PageQuestion) => number = () => 1,
  ) {
    this.#readPageWithTotal = readPageWithTotal;
    this.#mostGroups = mostGroups;
  }

  /** Whether somebody counts the list now. */
  isBusy(key: string): boolean {
    return this.#queues.has(key);
  }

  /**
   * @throws {QueryFailedError} as the source does, or `cancelled` or `query_timeout` while waiting.
   */
  read(key: string, question: PageQuestion): Promise<PageRows> {
    const member = new Member(question);
    const queue = this.#queues.get(key) ?? { members: new FairQueue(), groups: new Set() };
    this.#queues.set(key, queue);
    queue.members.add(member, member.callers);
    // The sooner a group is done, the sooner the next one can begin.
    for (const callers of queue.groups) callers.join(member.callers);
    if (queue.groups.size < this.#mostGroups(question)) void this.#serve(key, queue);
    return member.page;
  }

  async #serve(key: string, queue: Queue): Promise<void> {
    while (queue.members.size > 0) {
      const group = takeGroup(queue.members);
      const callers = new Callers();
      for (const member of group) callers.join(member.callers);
      queue.groups.add(callers);
      if (group.length > 0) await this.#readFor(group, callers);
      queue.groups.delete(callers);
    }
    if (queue.groups.size === 0) this.#queues.delete(key);
  }

  async #readFor(group: readonly Member[], callers: Callers): Promise<void> {
    const everybodyLeft = new AbortController();
    const leave = (reason: unknown): void => {
      if (group.every((member) => member.left)) everybodyLeft.abort(reason);
    };
    for (const member of group) member.onLeave = leave;
    try {
      const questions = group.map((member) => member.question);
      const pages = await this.#readPageWithTotal(questions, {
        signal: everybodyLeft.signal,
        deadline: Math.max(...group.map(({ question }) => question.call.deadline)),
        callers,
      });
      for (const [index, member] of group.entries()) member.resolve(pages[index]);
    } catch (error) {
      for (const member of group) member.reject(error);
    }
  }
}

/**
 * Those who wait, in turns: a caller who wants many pages keeps nobody else out of the next group.
 */
function takeGroup(members: FairQueue<Member>): Member[] {
  const group: Member[] = [];
  while (group.length < LARGEST_GROUP) {
    const taken = members.take(() => true);
    if (taken === undefined) break;
    if (!taken.item.left) group.push(taken.item);
  }
  return group;
}

/** A caller with the page that is asked for. */
class Member {
  readonly question: PageQuestion;
  readonly callers: Callers;
  readonly page: Promise<PageRows>;
  readonly #answer = Promise.withResolvers<PageRows>();
  left = false;
  onLeave: (reason: unknown) => void = () => undefined;

  constructor(question: PageQuestion) {
    this.question = question;
    this.callers = question.call.callers ?? new Callers(undefined);
    const { signal } = question.call;
    this.page = waitOrAbort(this.#answer.promise, signal, () => {
      this.left = true;
      this.onLeave(signal.reason);
    });
  }

  resolve(page: PageRows | undefined): void {
    if (page === undefined) this.#answer.reject(new Error('The group was read without this page.'));
    else this.#answer.resolve(page);
  }

  reject(error: unknown): void {
    this.#answer.reject(error);
  }
}

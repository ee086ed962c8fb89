import { setImmediate } from 'node:timers/promises';

import type { QueryTotal } from '@proj/contract';
import { type Answer, type Engine, InvalidQueryError, QueryFailedError } from '@proj/engine';

import { allEnded } from './all-ended.ts';
import { exportedReply, isWhole, wholeOf } from './exported-reply.ts';
import { facetsReply, facetsRequest } from './facets.ts';
import { HeldReplies } from './held-replies.ts';
import type { History } from './history.ts';
import { leavingSoon } from './leaving.ts';
import { OWNERS } from './models.ts';
import { type Mismatch, NOT_IN_LIST, type Oracle, type Reply } from './oracle.ts';
import { anyQuestion, HOT_QUESTIONS, type Questions } from './questions.ts';
import type { Random } from './random.ts';
import type { Replies } from './replies.ts';
import { bodyOf, grantOf, type Question, type Request } from './requests.ts';
import { SPARE_IDS } from './rows.ts';

/** What callers share. */
export interface Calling {
  /** Lists are exported and facets asked for too where it can. */
  readonly engine: Pick<Engine, 'query'> & Partial<Pick<Engine, 'export' | 'facets'>>;
  readonly history: History;
  readonly oracle: Oracle;
  readonly random: Random;
  /** What is asked again and again. */
  readonly hot?: Questions | undefined;
  readonly signal: AbortSignal;
  /** Those of all requests that are over, with or without an answer. */
  readonly replies: Replies;
  /** Called whenever a request is over, with what was wrong about its reply. */
  readonly onEnd: (mismatch?: Mismatch) => void;
}

/** What callers got. */
export interface Received {
  /** Replies that were compared with the history. */
  replies: number;
  /** Requests whose caller left in time. */
  cancelled: number;
  /** Requests that a busy machine did not get to in time. */
  refused: number;
  /** How often the engine gave no answer otherwise, by what it threw. */
  readonly failures: Map<string, number>;
}

/**
 * How many ask at a time, in turns. Where few do, none waits for another, and one may come between
 * the read and the reply of the next.
 */
const CROWDS = [2, 4, 12] as const;

/** After so many requests another crowd takes its turn. */
const TURN = 40;

/** Of requests that waited for too long: for a turn, a connection or an answer. */
const LATE: ReadonlySet<string> = new Set(['overloaded', 'query_timeout']);

/** Asks from several callers at a time until the signal. */
export async function call(calling: Calling): Promise<Received> {
  const callers = new Callers(calling);
  await allEnded(Array.from({ length: Math.max(...CROWDS) }, (_, index) => callers.askOn(index)));
  return callers.received;
}

class Callers {
  readonly received: Received = { replies: 0, cancelled: 0, refused: 0, failures: new Map() };
  readonly #calling: Calling;
  /** The totals that were seen last, from which callers know the last page. */
  readonly #totals = new WeakMap<Question, number>();
  /** What somebody waits for, as often as somebody does. */
  readonly #underWay: Request[] = [];
  readonly #held = new HeldReplies();
  #latest: Request | undefined;
  #crowd: number = CROWDS[0];
  #asked = 0;

  constructor(calling: Calling) {
    this.#calling = calling;
  }

  async askOn(index: number): Promise<void> {
    const { signal } = this.#calling;
    while (!signal.aborted) {
      if (index >= this.#crowd) await this.#calling.replies.more(1);
      else await this.#askSomething();
      // Replies that come without waiting must not keep the writers from their turn.
      await setImmediate();
    }
  }

  /** What others wait for, or what one of them was the last to ask, or anything else. */
  async #askSomething(): Promise<void> {
    const { random } = this.#calling;
    const [first, ...others] = this.#underWay;
    if (first !== undefined && random.chance(0.4)) await this.#ask(random.pick([first, ...others]));
    else if (this.#latest !== undefined && random.chance(0.2)) await this.#ask(this.#latest);
    else if (this.#calling.engine.export !== undefined && random.chance(0.05))
      await this.#ask(wholeOf(this.#anyQuestion()));
    else await this.#askAnew(this.#anyQuestion());
  }

  #anyQuestion(): Question {
    const { random, hot = HOT_QUESTIONS } = this.#calling;
    return random.chance(0.06) ? anyQuestion(random) : random.pick(hot);
  }

  async #askAnew(question: Question): Promise<void> {
    const pages = this.#calling.random.chance(0.3) ? 3 : 1;
    for (let page = 0; page < pages; page++) {
      this.#latest = this.#pageOf(question);
      await this.#ask(this.#latest);
    }
  }

  #pageOf(question: Question): Request {
    const { engine, random } = this.#calling;
    if (engine.facets !== undefined && random.chance(0.1)) return facetsRequest(question, random);
    const size = random.pick([1, 7, 100]);
    const total = this.#totals.get(question) ?? 0;
    if (random.chance(0.2)) {
      const page = { id: random.integer(1, mostIds(question.model)) };
      return { question, size, page, total: 'exact' };
    }
    const pages = Math.ceil(total / size);
    return { question, size, page: anyPage(random, pages), total: anyTotal(random, total) };
  }

  async #ask(request: Request): Promise<void> {
    const { engine, history, oracle, random } = this.#calling;
    this.#asked += 1;
    if (this.#asked % TURN === 0) this.#crowd = random.pick(CROWDS);
    const signal = random.chance(0.04) ? leavingSoon(random) : undefined;
    const close = history.open();
    this.#underWay.push(request);
    try {
      const answer = await replyTo(request, engine, signal).catch(notInList);
      const { page } = answer;
      this.received.replies += 1;
      if (page.total !== null) this.#totals.set(request.question, Number(page.total));
      const window = close();
      const held = 'tag' in answer ? this.#held.read(request, answer) : answer;
      this.#calling.onEnd(
        oracle.check(request, answer, window) ?? oracle.check(request, held, window),
      );
    } catch (error) {
      close();
      this.#note(error);
      this.#calling.onEnd();
    } finally {
      this.#underWay.splice(this.#underWay.indexOf(request), 1);
    }
  }

  /** Whatever went wrong, the others ask on, and it is reported in the end. */
  #note(error: unknown): void {
    const { cancelled, refused, failures } = this.received;
    const code = error instanceof QueryFailedError ? error.code : undefined;
    if (code === 'cancelled') this.received.cancelled = cancelled + 1;
    else if (LATE.has(code ?? '') || /It was not ready within \d+ ms/.test(String(error)))
      this.received.refused = refused + 1;
    else failures.set(String(error), (failures.get(String(error)) ?? 0) + 1);
  }
}

/** What the engine answers, as a page. */
function replyTo(
  request: Request,
  engine: Calling['engine'],
  signal: AbortSignal | undefined,
): Promise<Reply | (Reply & Pick<Answer, 'tag'>)> {
  if (request.facets !== undefined && engine.facets !== undefined)
    return facetsReply({ facets: engine.facets.bind(engine) }, request, { signal });
  if (isWhole(request) && engine.export !== undefined)
    return exportedReply({ export: engine.export.bind(engine) }, request, signal);
  return engine.query(bodyOf(request), grantOf(request.question.audience), { signal });
}

/** That a list does not have a record is a reply that is true in some states. */
function notInList(error: unknown): Reply {
  const codes = error instanceof InvalidQueryError ? error.errors.map(({ code }) => code) : [];
  if (codes.join() !== 'record_not_in_list') throw error;
  return NOT_IN_LIST;
}

/** Ids from 1 to this are those of records now and then. */
function mostIds(model: Question['model']): number {
  return model === 'owners' ? OWNERS : SPARE_IDS;
}

/** The first pages, the middle, the last ones, what is past the end, and now and then any other. */
function anyPage(random: Random, pages: number): number {
  const middle = Math.ceil(pages / 2);
  const kinds = [
    1,
    1,
    2,
    middle,
    middle,
    pages - 1,
    pages,
    pages,
    pages + 1,
    Number.MAX_SAFE_INTEGER,
  ] as const;
  return Math.max(1, random.chance(0.8) ? random.pick(kinds) : random.integer(1, pages + 1));
}

/** Mostly all of it; otherwise nothing, or as far as a limit around the total that was seen last. */
function anyTotal(random: Random, total: number): QueryTotal {
  if (random.chance(0.6)) return 'exact';
  if (random.chance(0.5)) return 'none';
  return { up_to: Math.max(1, random.pick([1, 10, total - 1, total, total + 1])) };
}

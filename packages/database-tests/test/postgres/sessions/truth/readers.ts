import { setImmediate } from 'node:timers/promises';

import { QueryFailedError } from '@proj/engine';

import { allEnded } from '../../../truth/all-ended.ts';
import type { Random } from '../../../truth/random.ts';
import type { Replies } from '../../../truth/replies.ts';
import { judge, mayFail, REFUSED, type Verdict } from './judge.ts';
import { anyRequest, type Asked, type Reply, replyOf, type Request } from './requests.ts';
import type { Shown, States } from './states.ts';
import type { Model } from './world.ts';

/** What readers share. */
export interface Reading {
  readonly engine: Asked;
  readonly states: States;
  readonly random: Random;
  /** Those of all requests that are over. */
  readonly replies: Replies;
  readonly signal: AbortSignal;
  /** What is asked for. Default: all. */
  readonly models?: readonly [Model, ...Model[]];
  /** So many requests end it. */
  readonly requests: number;
  /** So many wrong replies end it at once. */
  readonly mistakes: number;
}

/** A reply that shows no state that it may show. */
export interface Mistake {
  readonly request: Request;
  readonly verdict: Verdict;
  readonly reply: Reply;
}

/** What readers got. */
export interface Received {
  readonly verdicts: Record<Verdict, number>;
  readonly mistakes: Mistake[];
  /** Named problems while rules changed, by their codes. */
  readonly problems: Map<string, number>;
  /** All other failures, by what was thrown. */
  readonly failures: Map<string, number>;
}

/** So many ask at once. */
const READERS = 8;

/** What may happen to a read while what it reads by changes. */
const PROBLEMS: ReadonlySet<string> = new Set([
  'session_refused',
  'policy_failed',
  'schema_changed',
]);

/** Asks until enough was answered, and holds each reply against the states. */
export async function read(reading: Reading): Promise<Received> {
  const readers = new Readers(reading);
  await allEnded(Array.from({ length: READERS }, () => readers.work()));
  return readers.received;
}

class Readers {
  readonly received: Received = {
    verdicts: { true: 0, 'later rules': 0, stale: 0, mixed: 0 },
    mistakes: [],
    problems: new Map(),
    failures: new Map(),
  };
  #asked = 0;
  readonly #reading: Reading;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  async work(): Promise<void> {
    const { requests, replies, mistakes, models, random, signal } = this.#reading;
    while (!signal.aborted && this.#asked < requests && this.received.mistakes.length < mistakes) {
      this.#asked += 1;
      await this.#ask(anyRequest(random, models));
      replies.note();
      // Replies that come without waiting must not keep the writers from their turn.
      await setImmediate();
    }
  }

  async #ask(request: Request): Promise<void> {
    const close = this.#reading.states.open();
    try {
      const reply = await replyOf(request, this.#reading.engine);
      this.#judge(reply, request, close());
    } catch (error) {
      this.#note(error, request, close());
    }
  }

  #judge(reply: Reply, request: Request, shown: Shown): void {
    const verdict = judge(reply, request, shown);
    this.received.verdicts[verdict] += 1;
    if (verdict === 'stale' || verdict === 'mixed')
      this.received.mistakes.push({ request, verdict, reply });
  }

  #note(error: unknown, request: Request, shown: Shown): void {
    const { problems, failures } = this.received;
    const code = error instanceof QueryFailedError ? error.code : '';
    if (code === 'session_refused' && judge(REFUSED, request, shown) === 'true')
      this.received.verdicts.true += 1;
    else if ((PROBLEMS.has(code) || isCut(error)) && mayFail(request, shown))
      addOne(problems, code);
    else addOne(failures, `${request.kind} of ${request.model}: ${String(error)}`);
  }
}

/** How the messages of an export begin whose rules changed while it was read. */
const CUT = /^(?:The export cannot go on|What was read may be of two states)/;

function isCut(error: unknown): boolean {
  return error instanceof QueryFailedError && CUT.test(error.message);
}

function addOne(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

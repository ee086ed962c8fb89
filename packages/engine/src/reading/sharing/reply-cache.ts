import type { Cache, CacheStore } from '../../cache-store.ts';
import { firstCaller } from '../../sources/callers.ts';
import type { ReadCall } from '../../sources/source.ts';
import type { HitCounter, MechanismCounters } from '../cache-stats.ts';
import type { DataVersion, DataVersions } from './data-version.ts';
import type { Question, Reader } from '../reader.ts';
import { keptFor, useOf } from '../session-use.ts';

/** An answer, as far as it is looked into to keep it. */
export interface Reply {
  /** What is sent; undefined where it would be longer than it may be. */
  readonly json: string | undefined;
  /** The version of the data that was read; undefined where it is unknown. */
  readonly version: string | undefined;
  readonly milliseconds: { readonly rows: number; readonly count: number };
}

/** A reply that is kept. */
interface KeptReply<Answer> {
  readonly answer: Answer;
  /** Whose request has brought it. */
  readonly foundFor: string;
}

/** Beside what is sent: total, version, digest, and the objects that hold them. */
const REPLY_BYTES = 500;

/** A reply that takes a larger part of the store is not kept. */
const LARGEST_PART = 1 / 32;

/** What a reply cache is made of. */
export interface ReplyCacheParts {
  /** What the replies are kept under in the store. Default: `reply `. */
  readonly name?: string;
  readonly versions: DataVersions;
  readonly store: CacheStore;
  readonly counters: MechanismCounters;
}

/**
 * Replies that were read, to be sent again while the data is unchanged. A reply is returned only
 * after a check of the data's version that began after it was asked for.
 */
export class ReplyCache<Answer extends Reply> {
  readonly #versions: DataVersions;
  readonly #replies: Cache<KeptReply<Answer>>;
  readonly #counter: HitCounter;

  constructor({ name = 'reply ', versions, store, counters }: ReplyCacheParts) {
    this.#versions = versions;
    const options = { sizeOf: bytesOf, largestPart: LARGEST_PART };
    this.#replies = store.cache<KeptReply<Answer>>(name, options);
    this.#counter = counters.create('reply_cache', () => this.#replies.bytes);
  }

  /** A link that answers from this cache, and keeps what the next link answers. */
  before<Asked extends Question>(next: Reader<Asked, Answer>): Reader<Asked, Answer> {
    const read = async (question: Asked, call: ReadCall): Promise<Answer> => {
      const kept = await this.find(question, call);
      if (kept !== undefined) return kept;
      const answer = await next.read(question, call);
      this.keep(question, answer, call);
      return answer;
    };
    return { read };
  }

  /** The reply to this question, if the data is found unchanged. */
  async find(
    { key, relations, session }: Question,
    call: Pick<ReadCall, 'callers'> = {},
  ): Promise<Answer | undefined> {
    const kept = this.#replies.get(key);
    if (kept === undefined) return undefined;
    const { answer, foundFor } = kept;
    const started = performance.now();
    const current = await isCurrent(this.#versions.of(relations), answer);
    this.#counter.count(current, useOf(session, foundFor, call));
    if (current)
      return { ...answer, milliseconds: { rows: performance.now() - started, count: 0 } };
    if (this.#replies.peek(key) === kept) this.#replies.delete(key);
    return undefined;
  }

  /** Whether a reply is kept that may be current. */
  mayHave({ key, relations }: Question): boolean {
    const version = this.#replies.peek(key)?.answer.version;
    return version !== undefined && this.#versions.of(relations).mayBeCurrent(version);
  }

  /** Keeps a reply whose version is known. */
  keep(
    { key, relations, session }: Question,
    answer: Answer,
    call: Pick<ReadCall, 'callers'> = {},
  ): void {
    const { version } = answer;
    if (version === undefined) return;
    this.#versions.of(relations).observe(version);
    // Each request that waited for one read calls this with the same reply, so it is kept once.
    if (this.#replies.peek(key)?.answer.version === version) return;
    this.#replies.set(key, { answer, foundFor: firstCaller(call) }, keptFor(session));
  }
}

function bytesOf({ answer: { json } }: { readonly answer: Reply }): number {
  return (json?.length ?? 0) * 2 + REPLY_BYTES;
}

async function isCurrent(data: DataVersion, { version }: Reply): Promise<boolean> {
  return version !== undefined && data.mayBeCurrent(version) && (await data.check()) === version;
}

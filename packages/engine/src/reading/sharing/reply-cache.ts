import { hash } from 'node:crypto';

import type { Cache, CacheStore } from '../../cache-store.ts';
import { firstCaller } from '../../sources/read-call.ts';
import type { ReadCall } from '../../sources/source.ts';
import { type HitCounter, keptFor, type MechanismCounters, useOf } from '../cache-stats.ts';
import type { DataVersions } from './data-version.ts';
import type { Question, Reader } from '../reader.ts';

export interface Reply {
  /** Undefined where it would be too long. */
  readonly json: string | undefined;
  readonly version: string | undefined;
  readonly milliseconds: { readonly rows: number; readonly count: number };
}

/** Total, version, digest, and the objects that hold them. */
const REPLY_BYTES = 500;

const LARGEST_PART = 1 / 32;

export interface ReplyCacheParts {
  /** A prefix in the store. Default: `reply `. */
  readonly name?: string;
  readonly versions: DataVersions;
  readonly store: CacheStore;
  readonly counters: MechanismCounters;
}

/** Repeats replies only after a version check that began after they were asked for. */
export class ReplyCache<Answer extends Reply> {
  readonly #versions: DataVersions;
  readonly #replies: Cache<{ readonly answer: Answer; readonly foundFor: string }>;
  readonly #counter: HitCounter;

  constructor({ name = 'reply ', versions, store, counters }: ReplyCacheParts) {
    this.#versions = versions;
    this.#replies = store.cache(name, {
      sizeOf: ({ answer: { json = '' } }) => json.length * 2 + REPLY_BYTES,
      largestPart: LARGEST_PART,
    });
    this.#counter = counters.create('reply_cache', () => this.#replies.bytes);
  }

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

  async find(
    { key, relations, session }: Question,
    call: Pick<ReadCall, 'callers'> = {},
  ): Promise<Answer | undefined> {
    const kept = this.#replies.get(key);
    if (kept === undefined) return undefined;
    const { answer, foundFor } = kept;
    const { version } = answer;
    const data = this.#versions.of(relations);
    const started = performance.now();
    const mayBe = version !== undefined && data.mayBeCurrent(version);
    const current = mayBe && (await data.check()) === version;
    this.#counter.count(current, useOf(session, foundFor, call));
    if (current)
      return { ...answer, milliseconds: { rows: performance.now() - started, count: 0 } };
    if (this.#replies.peek(key) === kept) this.#replies.delete(key);
    return undefined;
  }

  mayHave({ key, relations }: Question): boolean {
    const version = this.#replies.peek(key)?.answer.version;
    return version !== undefined && this.#versions.of(relations).mayBeCurrent(version);
  }

  keep(
    { key, relations, session }: Question,
    answer: Answer,
    call: Pick<ReadCall, 'callers'> = {},
  ): void {
    const { version } = answer;
    if (version === undefined) return;
    this.#versions.of(relations).observe(version);
    // All requests of one read bring the same reply; keep it once.
    if (this.#replies.peek(key)?.answer.version === version) return;
    this.#replies.set(key, { answer, foundFor: firstCaller(call) }, keptFor(session));
  }
}

/** Hashes records and their names once, when first asked for, for all who get the page. */
export function digestOf(namesKey: string, json = ''): () => string {
  let digest: string | undefined;
  return () => {
    digest ??= hash('sha256', namesKey + json, 'base64url');
    return digest;
  };
}

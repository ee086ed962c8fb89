import { LRUCache } from 'lru-cache';

import { waitOrAbort } from '../../deadline.ts';
import { QueryFailedError } from '../../errors.ts';
import type { Question } from '../../reading/reader.ts';
import type { LogPositions } from '../../sources/log-position.ts';
import type { PageRows, ReadCall } from '../../sources/source.ts';
import type { LogSampler } from './log-sampler.ts';

/** States whose positions are remembered. */
const MOST_STATES = 1000;

/** A page that the primary has shown, and what it was asked for. */
export interface PrimaryPage {
  readonly page: Pick<PageRows, 'version' | 'position'>;
  readonly question: Pick<Question, 'relations'>;
  readonly call: ReadCall;
  /** Positions that the caller has asked for. */
  readonly wanted: readonly string[];
}

/**
 * Finds, for each page of the primary, a position in its log that includes all that the page shows.
 * It is the position that the read reported; or that of an earlier page with the same data version,
 * which showed the same data; or else the server is asked.
 */
export class PrimaryPositions {
  readonly #primary: LogSampler;
  readonly #positions: LogPositions;
  readonly #byState = new LRUCache<string, string>({ max: MOST_STATES });

  constructor(primary: LogSampler, positions: LogPositions) {
    this.#primary = primary;
    this.#positions = positions;
  }

  /**
   * A position that includes what a page shows, and the positions that its caller asked for, as far
   * as the primary has come to them.
   *
   * @throws {QueryFailedError} when the primary does not say where it is
   */
  async of({ page, question, call, wanted }: PrimaryPage): Promise<string> {
    const { version } = page;
    const state =
      version === undefined ? undefined : `${JSON.stringify(question.relations)} ${version}`;
    const known = page.position ?? (state === undefined ? undefined : this.#byState.get(state));
    const position = known === undefined ? undefined : this.#withWanted(known, wanted);
    if (position !== undefined) return position;
    const asked = await this.now(call);
    if (state !== undefined) this.#byState.set(state, asked);
    return asked;
  }

  /** A position that has everything which the primary has shown until now. */
  async now({ signal }: ReadCall): Promise<string> {
    const sampled = this.#primary.sample().catch(() => this.#primary.sample());
    const { state } = await waitOrAbort(sampled.catch(unavailable), signal);
    return state.seen ?? state.applied;
  }

  /** Undefined where it is not known whether the primary has come as far as is wanted. */
  #withWanted(known: string, wanted: readonly string[]): string | undefined {
    const { covers, later } = this.#positions;
    const end = this.#primary.latest?.seen ?? known;
    const all = wanted.reduce(
      (one, other) => (covers(end, other) ? later(one, other) : one),
      known,
    );
    return wanted.every((one) => covers(all, one)) ? all : undefined;
  }
}

function unavailable(cause: unknown): never {
  const message = 'The primary did not say where it is in its log.';
  throw new QueryFailedError('database_unavailable', message, { cause });
}

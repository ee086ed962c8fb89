import { LRUCache } from 'lru-cache';

import { waitOrAbort } from '../../deadline.ts';
import { QueryFailedError } from '../../errors.ts';
import type { Question } from '../../reading/reader.ts';
import type { LogPositions } from '../../sources/log-position.ts';
import type { PageRows, ReadCall } from '../../sources/source.ts';
import type { LogSampler } from './log-clock.ts';

const MOST_STATES = 1000;

export interface PrimaryPage {
  readonly page: Pick<PageRows, 'version' | 'position'>;
  readonly question: Pick<Question, 'relations'>;
  readonly call: ReadCall;
  readonly wanted: readonly string[];
}

/** The read's position, that of an equal data version, or one asked of the server. */
export class PrimaryPositions {
  readonly #primary: LogSampler;
  readonly #positions: LogPositions;
  readonly #byState = new LRUCache<string, string>({ max: MOST_STATES });

  constructor(primary: LogSampler, positions: LogPositions) {
    this.#primary = primary;
    this.#positions = positions;
  }

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

  /** Includes everything shown until now. */
  async now({ signal }: ReadCall): Promise<string> {
    const sampled = this.#primary.sample().catch(() => this.#primary.sample());
    const { state } = await waitOrAbort(sampled.catch(unavailable), signal);
    return state.seen ?? state.applied;
  }

  /** Undefined where the primary may not have come as far. */
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

import { Deadlines, type ReadCall } from '@proj/engine/database';

import { NoCommonStateError } from '../connection/errors.ts';
import type { ClusterServers } from './cluster-servers.ts';
import { demandOwn, type FoundCut, type FoundState, findState, isSame } from './common-state.ts';

/** Milliseconds for all servers to answer; later answers are no state. */
const ANSWER_MS = 1000;

/** Milliseconds after a lost state in which none found earlier is tried. */
const RESTLESS_MS = 1000;

/** A state seen for so many milliseconds is expected to last as long again. */
const LASTING_MS = 1000;

/** Finds states without holding writers. The next read tries the last one, checked by snapshots. */
export class ValidatedCuts {
  readonly #servers: ClusterServers;
  #search: Promise<FoundState> | undefined;
  #state: FoundState | undefined;
  #firstSeen = 0;
  #lastSeen = 0;
  #restlessUntil = 0;

  constructor(servers: ClusterServers) {
    this.#servers = servers;
  }

  get state(): FoundState | undefined {
    return this.#state;
  }

  /** Whether readers may expect it of all servers without looking. */
  get lasts(): boolean {
    return (
      this.#state !== undefined &&
      this.#lastSeen - this.#firstSeen >= LASTING_MS &&
      performance.now() - this.#lastSeen < LASTING_MS
    );
  }

  learn(state: FoundState): void {
    if (this.#state === undefined || !isSame(this.#state, state)) {
      this.#state = state;
      this.#firstSeen = performance.now();
    }
    this.#lastSeen = performance.now();
  }

  see(seen: FoundState): void {
    if (this.#state === undefined) return;
    if (isSame(this.#state, seen)) this.#lastSeen = performance.now();
    else this.#state = undefined;
  }

  /** Resolves when the read may take its snapshots. */
  async join({ signal }: ReadCall): Promise<FoundCut> {
    const last = performance.now() < this.#restlessUntil ? undefined : this.#state;
    const found = last ?? (await Deadlines.waitOrAbort((this.#search ??= this.#find()), signal));
    return {
      found,
      confirm: async (own) => demandOwn(found, own),
      leave: () => {
        if (this.#state === found) this.#state = undefined;
        if (last !== undefined) this.#restlessUntil = performance.now() + RESTLESS_MS;
      },
    };
  }

  async #find(): Promise<FoundState> {
    try {
      const terms = { timeoutMs: ANSWER_MS, timeoutError };
      const found = await Deadlines.withDeadline(terms, (call) => findState(this.#servers, call));
      this.learn(found);
      return found;
    } finally {
      this.#search = undefined;
    }
  }
}

function timeoutError(): Error {
  return new NoCommonStateError('The servers of the cluster did not answer in time.');
}

import { Deadlines, type ReadCall } from '@proj/engine/database';

import { NoCommonStateError } from '../connection/errors.ts';
import type { ClusterServers } from './cluster-servers.ts';
import { demandOwn, type FoundCut, type FoundState, findState, isSame } from './common-state.ts';

/** The servers answer within so many milliseconds, or no state is found. */
const ANSWER_MS = 1000;

/** For so many milliseconds after a state that was gone, none is tried that was found before. */
const RESTLESS_MS = 1000;

/** A state that was seen for so many milliseconds is expected to last for as many more. */
const LASTING_MS = 1000;

/**
 * States of all servers of a cluster that are found without keeping anybody from writing. Reads
 * that wait at the same time look for one together. Servers that have not changed since are in the
 * same state for the next read, too, which finds that out by its snapshots.
 */
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

  /** The state that was found last, as long as no server is seen to have left it. */
  get state(): FoundState | undefined {
    return this.#state;
  }

  /**
   * Whether it is expected to be that of all servers still, so that whoever reads in it need not
   * look at them before.
   */
  get lasts(): boolean {
    return (
      this.#state !== undefined &&
      this.#lastSeen - this.#firstSeen >= LASTING_MS &&
      performance.now() - this.#lastSeen < LASTING_MS
    );
  }

  /** Notes a state that was found. */
  learn(state: FoundState): void {
    if (this.#state === undefined || !isSame(this.#state, state)) {
      this.#state = state;
      this.#firstSeen = performance.now();
    }
    this.#lastSeen = performance.now();
  }

  /** Notes what the servers showed, which ends the state if it is another one. */
  see(seen: FoundState): void {
    if (this.#state === undefined) return;
    if (isSame(this.#state, seen)) this.#lastSeen = performance.now();
    else this.#state = undefined;
  }

  /** Resolves when the snapshots of a read may be taken. */
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

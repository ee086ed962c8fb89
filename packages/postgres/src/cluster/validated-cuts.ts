import { Deadlines, type ReadCall } from '@proj/engine/database';

import { NoCommonStateError } from '../connection/errors.ts';
import type { ClusterServers } from './cluster-servers.ts';
import { demandOwn, findState } from './common-state.ts';
import type { FoundCut, FoundState } from './found-state.ts';

/** The servers answer within so many milliseconds, or no state is found. */
const ANSWER_MS = 1000;

/** For so many milliseconds after a state that was gone, none is tried that was found before. */
const RESTLESS_MS = 1000;

/**
 * States of all servers of a cluster that are found without keeping anybody from writing. Reads
 * that wait at the same time look for one together. Servers that have not changed since are in the
 * same state for the next read, too, which finds that out by its snapshots.
 */
export class ValidatedCuts {
  readonly #servers: ClusterServers;
  #search: Promise<FoundState> | undefined;
  #last: FoundState | undefined;
  #restlessUntil = 0;

  constructor(servers: ClusterServers) {
    this.#servers = servers;
  }

  /** Resolves when the snapshots of a read may be taken. */
  async join({ signal }: ReadCall): Promise<FoundCut> {
    const isRestless = performance.now() < this.#restlessUntil;
    const last = isRestless ? undefined : this.#last;
    const found = last ?? (await Deadlines.waitOrAbort((this.#search ??= this.#find()), signal));
    return {
      found,
      confirm: async (own) => demandOwn(found, own),
      leave: () => {
        if (this.#last === found) this.#last = undefined;
        if (last !== undefined) this.#restlessUntil = performance.now() + RESTLESS_MS;
      },
    };
  }

  async #find(): Promise<FoundState> {
    try {
      const terms = { timeoutMs: ANSWER_MS, timeoutError };
      this.#last = await Deadlines.withDeadline(terms, (call) => findState(this.#servers, call));
      return this.#last;
    } finally {
      this.#search = undefined;
    }
  }
}

function timeoutError(): Error {
  return new NoCommonStateError('The servers of the cluster did not answer in time.');
}

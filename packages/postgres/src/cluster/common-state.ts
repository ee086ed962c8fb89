import { setTimeout as sleep } from 'node:timers/promises';

import { Deadlines, type ReadCall } from '@proj/engine/database';

import type { Cut } from '../connection/distribution.ts';
import { NoCommonStateError } from '../connection/errors.ts';
import type { ClusterServers, ServerStates } from './cluster-servers.ts';

/** Milliseconds to look for a state without prepared transactions. */
const SEARCH_MS = 500;

/** Milliseconds, while transactions are held, for commits to finish. */
const RESOLVING_MS = 100;

/** Milliseconds between looks while a transaction is prepared. */
const PREPARED_PAUSE_MS = 1;

export type FoundState = Pick<ServerStates, 'cluster' | 'states'>;

export interface FoundCut extends Pick<Cut, 'confirm' | 'leave'> {
  readonly found: FoundState;
}

/** Whether nothing was committed on any server, so that all were in the state in between. */
export function isSame(one: FoundState, other: FoundState): boolean {
  return (
    one.cluster === other.cluster &&
    one.states.length === other.states.length &&
    one.states.every((state, place) => state === other.states[place])
  );
}

/** Undefined with a standby, whose snapshots do not show running transactions. */
export function versionOf({ states }: FoundState): string | undefined {
  return states.some((state) => / standby /.test(state)) ? undefined : states.join(' | ');
}

/**
 * Until no server changed between two looks, and after the first none had prepared what another
 * may have committed: snapshots of these states are of that moment, whenever they are taken.
 * @throws {NoCommonStateError} where none is found in time
 */
async function findState(servers: ClusterServers, call: ReadCall): Promise<FoundState> {
  const started = performance.now();
  let before = await servers.look(call);
  for (;;) {
    const now = await servers.look(call);
    if (now.prepared.length === 0 && isSame(before, now)) return now;
    if (performance.now() - started > SEARCH_MS)
      throw now.prepared.length > 0 ? prepared(now) : new NoCommonStateError();
    if (now.prepared.length > 0) await sleep(PREPARED_PAUSE_MS);
    before = now;
  }
}

/** As {@link findState}, while no distributed transaction can be prepared: one look is enough. */
export async function findHeldState(servers: ClusterServers, call: ReadCall): Promise<FoundState> {
  const started = performance.now();
  let seen = await servers.look(call);
  while (seen.prepared.length > 0) {
    if (performance.now() - started > RESOLVING_MS) throw prepared(seen);
    await sleep(PREPARED_PAUSE_MS);
    seen = await servers.look(call);
  }
  return seen;
}

export const RESOLVE =
  'Citus resolves what was left so once a minute (citus.recover_2pc_interval), or at once on the ' +
  'server that began it, whose group comes after citus_: select recover_prepared_transactions();';

function prepared({ prepared: found }: ServerStates): NoCommonStateError {
  return new NoCommonStateError(
    `Transactions of the cluster are prepared. ${found.join(' ')} ${RESOLVE}`,
  );
}

/** @throws {NoCommonStateError} where the server's snapshot is of another state */
export function demandOwn({ states }: FoundState, own: string | undefined): void {
  if (own === undefined || !states.includes(own)) throw new NoCommonStateError();
}

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
      const late = 'The servers of the cluster did not answer in time.';
      const timeoutError = (): Error => new NoCommonStateError(late);
      const terms = { timeoutMs: ANSWER_MS, timeoutError };
      const found = await Deadlines.withDeadline(terms, (call) => findState(this.#servers, call));
      this.learn(found);
      return found;
    } finally {
      this.#search = undefined;
    }
  }
}

import { setTimeout as sleep } from 'node:timers/promises';

import type { ReadCall } from '@proj/engine/database';

import type { Cut } from '../connection/cut.ts';
import { NoCommonStateError } from '../connection/errors.ts';
import type { ClusterServers, ServerStates } from './cluster-servers.ts';

/** A state that leaves no part of a transaction prepared is looked for so long, in milliseconds. */
const SEARCH_MS = 500;

/** The same while transactions are held: what is being committed is waited for. */
const RESOLVING_MS = 100;

/** The servers are left alone for so many milliseconds while a transaction is prepared. */
const PREPARED_PAUSE_MS = 1;

const WRITTEN = 'Servers of the cluster were written to meanwhile.';

/** What all servers of a cluster showed, with none of their transactions prepared. */
export type FoundState = Pick<ServerStates, 'cluster' | 'states'>;

/** A state of which a read takes its snapshots, as {@link Cut} has it. */
export interface FoundCut extends Pick<Cut, 'confirm' | 'leave'> {
  readonly found: FoundState;
}

/**
 * Whether all servers are in the same state as before: nothing was committed on any of them, so
 * that they were in it all the time between.
 */
export function isSame(one: FoundState, other: FoundState): boolean {
  return (
    one.cluster === other.cluster &&
    one.states.length === other.states.length &&
    one.states.every((state, place) => state === other.states[place])
  );
}

/**
 * The version of the data in a state; undefined where one of the servers is a standby, whose
 * snapshots do not show which transactions run.
 */
export function versionOf({ states }: FoundState): string | undefined {
  return states.some((state) => / standby /.test(state)) ? undefined : states.join(' | ');
}

/**
 * Looks at all servers until they have one state in common: between two looks none has changed, and
 * behind the first of them nothing was prepared that another server may have committed. Snapshots
 * of these very states are of the moment between the looks, whenever they are taken.
 *
 * @throws {NoCommonStateError} where none is met in time
 */
export async function findState(servers: ClusterServers, call: ReadCall): Promise<FoundState> {
  const started = performance.now();
  let before = await servers.look(call);
  for (;;) {
    const now = await servers.look(call);
    if (now.prepared.length === 0 && isSame(before, now)) return now;
    if (performance.now() - started > SEARCH_MS)
      throw now.prepared.length > 0 ? prepared(now) : new NoCommonStateError(WRITTEN);
    if (now.prepared.length > 0) await sleep(PREPARED_PAUSE_MS);
    before = now;
  }
}

/**
 * As {@link findState}, while no transaction of several servers can be prepared or committed: one
 * look is enough once what was prepared before is resolved.
 */
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

/** What an operator can do where a part of a transaction stays prepared. */
export const RESOLVE =
  'Citus resolves what was left so once a minute (citus.recover_2pc_interval), or at once on the ' +
  'server that began it, whose group comes after citus_: select recover_prepared_transactions();';

function prepared({ prepared: found }: ServerStates): NoCommonStateError {
  return new NoCommonStateError(
    `Transactions of the cluster are prepared. ${found.join(' ')} ${RESOLVE}`,
  );
}

/** @throws {NoCommonStateError} where the snapshot of a server is of another state */
export function demandOwn({ states }: FoundState, own: string | undefined): void {
  if (own === undefined || !states.includes(own)) throw new NoCommonStateError(WRITTEN);
}

import { setTimeout as sleep } from 'node:timers/promises';

import type { ReadCall } from '../../read-call.ts';
import { NoCommonStateError } from '../connection/errors.ts';
import { type ClusterServers, instanceOf } from './cluster-servers.ts';

/** A transaction that is being committed is waited for so many milliseconds. */
const RESOLVING_MS = 100;

const PREPARED = 'Transactions of the cluster are prepared.';

/**
 * Finds out whether snapshots that were taken since are of one state of all servers.
 *
 * @param own which server they were taken through, where that is known
 * @throws {NoCommonStateError} where they may be of different states
 */
export type StateCheck = (call: ReadCall, own?: string) => Promise<void>;

/**
 * Looks at all servers before snapshots are taken. One of them may change meanwhile: the others are
 * as they were when its snapshot was taken.
 */
export async function beginStateCheck(
  servers: ClusterServers,
  call: ReadCall,
): Promise<StateCheck> {
  const { known } = servers;
  const { states } = await servers.look(call);
  // Behind that look: what is prepared now may be committed on a server that does not change.
  await refusePrepared(servers, call);
  return async (checking, own) => {
    // Before the last look, since what is resolved in between changes a state.
    await refusePrepared(servers, checking);
    await compare(servers, { known, states, own }, checking);
  };
}

/**
 * As {@link beginStateCheck}, while no transaction of several servers can be prepared or committed:
 * what was prepared before is resolved first.
 */
export async function beginHeldStateCheck(
  servers: ClusterServers,
  call: ReadCall,
): Promise<StateCheck> {
  const { known } = servers;
  const started = performance.now();
  let seen = await servers.look(call);
  while (seen.havePrepared) {
    if (performance.now() - started > RESOLVING_MS) throw new NoCommonStateError(PREPARED);
    await sleep(1);
    seen = await servers.look(call);
  }
  return (checking, own) => compare(servers, { known, states: seen.states, own }, checking);
}

/** What is compared with the servers once the snapshots are taken. */
interface SeenBefore {
  readonly known: string;
  readonly states: readonly string[];
  readonly own: string | undefined;
}

async function compare(servers: ClusterServers, before: SeenBefore, call: ReadCall): Promise<void> {
  const { states } = await servers.look(call);
  if (before.own !== undefined && before.own !== instanceOf(before.states[0]))
    throw new NoCommonStateError('The snapshots were taken through another server.');
  const changed = states.filter((state, place) => state !== before.states[place]);
  if (servers.known !== before.known || changed.length > 1)
    throw new NoCommonStateError('Servers of the cluster were written to meanwhile.');
}

async function refusePrepared(servers: ClusterServers, call: ReadCall): Promise<void> {
  const { havePrepared } = await servers.look(call);
  if (havePrepared) throw new NoCommonStateError(PREPARED);
}

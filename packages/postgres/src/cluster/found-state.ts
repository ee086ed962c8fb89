import type { Cut } from '../connection/cut.ts';
import type { ServerStates } from './cluster-servers.ts';

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

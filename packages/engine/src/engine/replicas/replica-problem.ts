import type { LogPositions, LogState } from '../../sources/log-position.ts';
import type { ReplicaProblem } from '../../sources/replica-watch.ts';

export interface Compared {
  readonly replica: LogState;
  readonly primary: LogState;
}

export function replicaProblem(
  { replica, primary }: Compared,
  positions: LogPositions,
): ReplicaProblem | undefined {
  if (clusterOf(replica) !== clusterOf(primary))
    return { fault: 'other_cluster', message: 'It belongs to another cluster than `database`.' };
  if (!replica.isReplica)
    return {
      fault: 'not_a_replica',
      message: 'It takes writes itself: it was promoted, or never was a replica.',
    };
  if (replica.log !== primary.log)
    return {
      fault: 'other_timeline',
      message:
        'It is on another timeline than `database`, or is not known yet to be on the same: ' +
        'with the role `pg_read_all_stats` the service sees that at once.',
    };
  // Where `database` is itself a replica, another one may be ahead of it.
  if (!primary.isReplica && !positions.covers(primary.applied, replica.applied))
    return {
      fault: 'ahead',
      message: 'It holds transactions that `database` lacks, and so is not its replica.',
    };
  return undefined;
}

/** A log's name ends with its cluster's, where it has one. */
function clusterOf({ log }: LogState): string {
  return log.slice(log.indexOf('.') + 1);
}

import type { ReplicaStatus, ReplicaWatch } from '@proj/engine';
import type { Logger } from 'pino';

/** Logs once when reads begin to go to a replica, and when they no longer do. */
export function logReplicaChanges(
  watch: Pick<ReplicaWatch, 'replicas' | 'onChange'>,
  log: Pick<Logger, 'info' | 'warn'>,
): void {
  const note = ({ name: replica, problem }: ReplicaStatus): void => {
    if (problem === undefined) log.info({ replica }, 'reads may go to a replica');
    else log.warn({ replica, reason: problem.fault, detail: problem.message }, LEFT_OUT);
  };
  for (const status of watch.replicas) if (status.problem?.fault !== 'starting') note(status);
  watch.onChange(note);
}

const LEFT_OUT =
  'no reads go to a replica: the primary answers them, and the replica is looked at again';

import type { Engine, FeedStatus, FeedWatch, ReplicaStatus, ReplicaWatch } from '@proj/engine';
import type { Logger } from 'pino';

type Log = Pick<Logger, 'info' | 'warn'>;

/** For one of several databases; the only one uses the service's log. */
export function logOf(name: string | undefined, log: Logger): Logger {
  return name === undefined ? log : log.child({ database: name });
}

/** Logs changes of models, change feed and replicas. */
export function logChanges(
  engine: Pick<Engine, 'onModelChange' | 'feed' | 'replicas'>,
  log: Log,
): void {
  const { feed, replicas } = engine;
  engine.onModelChange(({ model, change, reason }) => {
    if (change === 'lost') log.warn({ model, reason }, 'a model, or a part of it, is unavailable');
    else if (change === 'back') log.info({ model }, 'a model is available again');
    else log.info({ model }, 'the columns or the key of a model have changed');
  });
  if (feed !== undefined) logFeedChanges(feed, log);
  if (replicas !== undefined) logReplicaChanges(replicas, log);
}

/** Logs once when reads begin to go to a replica, and when they no longer do. */
function logReplicaChanges(watch: ReplicaWatch, log: Log): void {
  const note = ({ name: replica, problem }: ReplicaStatus): void => {
    if (problem === undefined) log.info({ replica }, 'reads may go to a replica');
    else log.warn({ replica, reason: problem.fault, detail: problem.message }, LEFT_OUT);
  };
  for (const status of watch.replicas) if (status.problem?.fault !== 'starting') note(status);
  watch.onChange(note);
}

/** Logs once when the change feed follows the server, is dropped, and is back. */
export function logFeedChanges(feed: FeedWatch, log: Log): void {
  let wasFollowing = false;
  let isBack = false;
  const note = (status: FeedStatus): void => {
    if (status.state === 'starting') return;
    const isFollowing = status.state === 'following';
    if (isFollowing) log.info(isBack ? RECOVERED : CONNECTED);
    else
      log.warn(
        { reason: status.reason, detail: status.message },
        wasFollowing ? DROPPED : NOT_CONNECTED,
      );
    isBack ||= isFollowing;
    wasFollowing = isFollowing;
  };
  note(feed.status);
  feed.onChange(note);
}

const CONNECTED = 'the change feed follows the server';
const RECOVERED = 'the change feed follows the server again';
const DROPPED =
  'the change feed was dropped: everything is read as without it, and it is tried again';
const NOT_CONNECTED =
  'the change feed cannot follow the server: everything is read as without it, ' +
  'and it is tried again';
const LEFT_OUT =
  'no reads go to a replica: the primary answers them, and the replica is looked at again';

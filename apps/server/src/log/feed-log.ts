import type { FeedStatus, FeedWatch } from '@proj/engine';
import type { Logger } from 'pino';

/** Logs once when the change feed follows the server, when it is dropped, and when it is back. */
export function logFeedChanges(feed: FeedWatch, log: Pick<Logger, 'info' | 'warn'>): void {
  let wasFollowing = false;
  let isBack = false;
  const note = (status: FeedStatus): void => {
    if (status.state === 'starting') return;
    const isFollowing = status.state === 'following';
    if (isFollowing) log.info(isBack ? RECOVERED : CONNECTED);
    else log.warn(reasonOf(status), wasFollowing ? DROPPED : NOT_CONNECTED);
    isBack ||= isFollowing;
    wasFollowing = isFollowing;
  };
  note(feed.status);
  feed.onChange(note);
}

function reasonOf({ reason, message }: FeedStatus): object {
  return { reason, detail: message };
}

const CONNECTED = 'the change feed follows the server';
const RECOVERED = 'the change feed follows the server again';
const DROPPED =
  'the change feed was dropped: everything is read as without it, and it is tried again';
const NOT_CONNECTED =
  'the change feed cannot follow the server: everything is read as without it, ' +
  'and it is tried again';

import type { FeedRefusal } from '../setup/server-obstacles.ts';

export type FeedReason =
  | FeedRefusal
  /** A pooler is in between. */
  | 'pooler'
  /** The server lacks PostgreSQL's catalogue or snapshots. */
  | 'unproven_server'
  /** Its two connections led to different servers. */
  | 'two_servers'
  /** Writing transactions stayed open, so the slot was not created in time. */
  | 'open_transactions'
  /** Refused or lost. */
  | 'connection'
  /** It changed while it was followed. */
  | 'publication_changed'
  /** Another server answers, or it has restarted. */
  | 'server_changed'
  /** It was too far behind the server. */
  | 'behind'
  /** The server kept too much of its log for it. */
  | 'held_back';

export class FeedStoppedError extends Error {
  override readonly name = 'FeedStoppedError';
  readonly reason: FeedReason;

  constructor(reason: FeedReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

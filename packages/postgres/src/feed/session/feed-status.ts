import type { FeedRefusal } from '../setup/server-obstacles.ts';

/** Why changes are not followed at the moment. */
export type FeedReason =
  | FeedRefusal
  /** A pooler is between the service and the server. */
  | 'pooler'
  /** The server does not have the catalogue or the snapshots of PostgreSQL. */
  | 'unproven_server'
  /** Its two connections led to different servers. */
  | 'two_servers'
  /** The slot could not be created in time, because transactions that write stayed open. */
  | 'open_transactions'
  /** The connection was refused or lost. */
  | 'connection'
  /** The publication is another one than when following began. */
  | 'publication_changed'
  /** Another server answers at the address, or it has started anew. */
  | 'server_changed'
  /** It was too far behind the server. */
  | 'behind'
  /** The server kept too much of its log for it. */
  | 'held_back';

/** Changes are not followed, for a reason that has a name. */
export class FeedStoppedError extends Error {
  override readonly name = 'FeedStoppedError';
  readonly reason: FeedReason;

  constructor(reason: FeedReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

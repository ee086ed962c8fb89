import type { FeedRefusal } from './refusals.ts';

/** Why changes are not followed at the moment. */
export type FeedReason =
  | FeedRefusal
  /** A pooler is between the service and the server. */
  | 'pooler'
  /** Its two connections led to different servers. */
  | 'two_servers'
  /** The connection was refused or lost. */
  | 'connection'
  /** Another server answers at the address, or it has started anew. */
  | 'server_changed'
  /** It was too far behind the server. */
  | 'behind'
  /** The server kept too much of its log for it. */
  | 'held_back';

/** What following the changes of a server is like. */
export interface FeedStatus {
  readonly state: 'starting' | 'following' | 'stopped';
  /** Why it is not `following`; undefined where it is, or has not been tried. */
  readonly reason: FeedReason | undefined;
  /** The reason in words. */
  readonly message: string | undefined;
  /** How far behind the server it is, in bytes of the write-ahead log. */
  readonly lagBytes: number;
  /** How much of its log the server keeps for it, in bytes. */
  readonly heldBackBytes: number;
  /** About how many bytes the kept changes take. */
  readonly memoryBytes: number;
  /** How many relations are followed. */
  readonly relations: number;
  /** How many transactions were read, since the service began. */
  readonly transactions: number;
  /** How often a read waited for the log. */
  readonly waits: number;
  /** How many of these waits were given up. */
  readonly lateWaits: number;
  /** How often the server was made to write out its log for those that waited. */
  readonly nudges: number;
  /** How often following ended, after it had begun. */
  readonly drops: number;
}

/** Changes are not followed, for a reason that has a name. */
export class FeedStoppedError extends Error {
  override readonly name = 'FeedStoppedError';
  readonly reason: FeedReason;

  constructor(reason: FeedReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

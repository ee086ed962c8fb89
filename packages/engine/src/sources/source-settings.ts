import type { ReplyMemory } from '../reply-memory.ts';

/** `true` follows the PostgreSQL server of the database URL. */
export type FollowSettings = true | FollowedServer;

export interface FollowedServer {
  /** The server past any pooler, for a role with `REPLICATION`. Default: the database URL. */
  readonly url?: string | undefined;
  /** Default: `dynamic_query`. */
  readonly publication?: string | undefined;
  /** The longest snapshot for filtered lists and other orders, in seconds; 0: none. Default: 30. */
  readonly snapshotSeconds?: number | undefined;
}

export interface ClusterSettings {
  /**
   * `validated` checks that servers stayed in a state; `locked` holds their transactions for a
   * moment; `auto` locks where writers leave too few states and the role may; `none` leaves such
   * tables out. Default: `auto`.
   */
  readonly cut?: 'auto' | 'validated' | 'locked' | 'none' | undefined;
  /** The `host:port` to reach a server at, by the cluster's own. */
  readonly addresses?: Readonly<Record<string, string>> | undefined;
}

export interface SourceSettings {
  /**
   * What is before a PostgreSQL server. `auto` finds out, and assumes a pooler if it cannot; `none`
   * also allows poolers in session mode that pass start-up parameters; `transaction` sets
   * everything per transaction. Default: `auto`.
   */
  readonly pooler?: 'auto' | 'none' | 'transaction' | undefined;
  /** In milliseconds. Default: 10,000. */
  readonly queryTimeoutMs?: number;
  /** How many processes share the connections, or file readers, of one. Default: 1. */
  readonly processes?: number | undefined;
  /** Whole lists exported at once, over all processes, at least one each. Default: 2. */
  readonly exports?: number | undefined;
  /**
   * Follows a PostgreSQL server's changes, so that totals, page indexes and replies stay current
   * while other tables are written. Default: changes are not followed.
   */
  readonly follow?: FollowSettings | undefined;
  readonly cluster?: ClusterSettings | undefined;
  /** Whether failed reads go elsewhere, and so are not retried here. Default: false. */
  readonly isReplica?: boolean | undefined;
  /** Bounds what large replies take together. Default: no bound. */
  readonly replyMemory?: ReplyMemory | undefined;
}

export interface ReplicaSettings {
  /** Each leads to one server. */
  readonly urls: readonly string[];
  /** The most a replica may be behind and still be read, in milliseconds. */
  readonly maxLagMs: number;
  /** What other processes have shown callers. Default: there are none. */
  readonly seenElsewhere?: SeenElsewhere | undefined;
}

/** What other processes showed up to `maxLagMs` ago, so callers never go back in time. */
export interface SeenElsewhere {
  /** Positions that cover all that others showed; undefined if unknown: the primary answers. */
  of(caller: string): Promise<readonly string[] | undefined>;
  /** Reports a position before its state is shown. Absent where others ask when they need it. */
  note?(caller: string, position: string): Promise<void>;
}

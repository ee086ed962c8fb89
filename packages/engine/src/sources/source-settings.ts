import type { ReplyMemory } from '../reply-memory.ts';

/**
 * What is between the service and the server: `auto` finds out, and assumes a pooler where it
 * cannot.
 */
export type Pooler = 'auto' | 'none' | 'transaction';

/**
 * Whether and how the changes of a PostgreSQL server are followed: `true` on the server that the
 * database URL names.
 */
export type FollowSettings = true | FollowedServer;

/** Where changes are followed. */
export interface FollowedServer {
  /**
   * URL of the server itself, past any pooler, for a role with `REPLICATION`. Default: the URL of
   * the database.
   */
  readonly url?: string | undefined;
  /** The publication whose tables are followed. Default: `dynamic_query`. */
  readonly publication?: string | undefined;
  /**
   * For how many seconds a snapshot may be held open, by which filtered lists and other orders are
   * followed; 0 for none, so that they are not. Default: 30.
   */
  readonly snapshotSeconds?: number | undefined;
}

/** How one state of several servers is read. */
export interface ClusterSettings {
  /**
   * `validated`: a state is one that the servers have not left while it was looked for; `locked`:
   * their transactions are held for that moment; `auto`: they are where writers leave too few
   * states, and the role has the right; `none`: what is on several servers is left out. Default:
   * `auto`.
   */
  readonly cut?: 'auto' | 'validated' | 'locked' | 'none' | undefined;
  /** The `host:port` at which a server is reached, by that by which the cluster knows it. */
  readonly addresses?: Readonly<Record<string, string>> | undefined;
}

/** How a database is opened, beyond its URL. */
export interface SourceSettings {
  /** What is between the service and the server. Default: `auto`. */
  readonly pooler?: Pooler | undefined;
  /** The usual time limit of a query, in milliseconds. Default: 10,000. */
  readonly queryTimeoutMs?: number;
  /** How many processes share the connections that one alone would open. Default: 1. */
  readonly processes?: number | undefined;
  /** How many whole lists are read at once, over all processes. Default: 2. */
  readonly exports?: number | undefined;
  /** Follows the changes of a PostgreSQL server. Default: they are not followed. */
  readonly follow?: FollowSettings | undefined;
  /** How tables are read that are on several servers of a Citus cluster. */
  readonly cluster?: ClusterSettings | undefined;
  /**
   * Whether what this server fails to read is read elsewhere, so that it is not tried again here.
   * Default: false.
   */
  readonly isReplica?: boolean | undefined;
  /** What large replies under way take together. Default: it has no bound. */
  readonly replyMemory?: ReplyMemory | undefined;
}

/** The replicas of a database that some reads may go to. */
export interface ReplicaSettings {
  /** Their URLs; each leads to one server. */
  readonly urls: readonly string[];
  /** How far a replica may be behind, in milliseconds, and still be read from. */
  readonly maxLagMs: number;
  /** What other processes have shown callers of the same database. Default: there are none. */
  readonly seenElsewhere?: SeenElsewhere | undefined;
}

/**
 * What other processes have shown callers, so that none of them is shown an older state here. What
 * was shown longer ago than `maxLagMs` may be forgotten: a replica that is read from has it.
 */
export interface SeenElsewhere {
  /**
   * Positions that have everything which other processes have shown a caller; undefined where that
   * is not known, so that the primary answers.
   */
  of(caller: string): Promise<readonly string[] | undefined>;
  /**
   * Reports to the other processes, before a caller is shown a state, the position of that state.
   * Absent where the others ask this process when they need it.
   */
  note?(caller: string, position: string): Promise<void>;
}

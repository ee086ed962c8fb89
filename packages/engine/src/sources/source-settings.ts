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
}

/** How a database is opened, beyond its URL. */
export interface SourceSettings {
  /** What is between the service and the server. Default: `auto`. */
  readonly pooler?: Pooler | undefined;
  /** The usual time limit of a query, in milliseconds. Default: 10,000. */
  readonly queryTimeoutMs?: number;
  /** How many processes share the connections that one alone would open. Default: 1. */
  readonly processes?: number | undefined;
  /** Follows the changes of a PostgreSQL server. Default: they are not followed. */
  readonly follow?: FollowSettings | undefined;
  /**
   * Whether what this server fails to read is read elsewhere, so that it is not tried again here.
   * Default: false.
   */
  readonly isReplica?: boolean | undefined;
}

/** The replicas of a database that some reads may go to. */
export interface ReplicaSettings {
  /** Their URLs; each leads to one server. */
  readonly urls: readonly string[];
  /** A replica that may be further behind is not read from, in milliseconds. */
  readonly maxLagMs: number;
}

/**
 * What is between the service and the server: `auto` finds out, and assumes a pooler where it
 * cannot.
 */
export type Pooler = 'auto' | 'none' | 'transaction';

/** How a database is opened, beyond its URL. */
export interface SourceSettings {
  /** What is between the service and the server. Default: `auto`. */
  readonly pooler?: Pooler | undefined;
  /** The usual time limit of a query, in milliseconds. Default: 10,000. */
  readonly queryTimeoutMs?: number;
}

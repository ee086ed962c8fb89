import type { ExposeSettings } from './catalogue/model-settings.ts';
import type { Acceleration } from './reading/acceleration.ts';
import type { DatabaseKind } from './sources/database-kind.ts';
import type { ReplicaSettings, SourceSettings } from './sources/source-settings.ts';

export interface EngineSettings
  extends ExposeSettings, Omit<SourceSettings, 'queryTimeoutMs' | 'isReplica'> {
  /** URL, such as `sqlite:/data/shop.db`. */
  readonly database: string;
  readonly kinds: readonly DatabaseKind[];
  /** A query is stopped in the database after this, in milliseconds. */
  readonly queryTimeoutMs: number;
  /** The most time for an export to its last record, in milliseconds. Default: ten minutes. */
  readonly exportTimeoutMs?: number;
  /** The most bytes of a page as JSON, up to 2^28. Default: 64 MiB. */
  readonly maxReplyBytes?: number;
  /** For costly reads of queries that allow it. Default: none. */
  readonly replicas?: ReplicaSettings | undefined;
  /** Links of the reading chain and their memory. Replies are exact with any. */
  readonly acceleration?: Partial<Acceleration>;
  /** How often to ask for versions of data not followed, in milliseconds. Default: 1000. */
  readonly watchCheckMs?: number;
  /** How often to read watched lists without versions, in milliseconds. Default: 10,000. */
  readonly watchReadMs?: number;
  /** How often to look for changes that fail no query, in milliseconds. Default: 30,000. */
  readonly schemaCheckMs?: number;
}

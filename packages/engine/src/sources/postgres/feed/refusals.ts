import type { FeedFacts } from './facts.ts';

/** Why the changes of a server cannot be followed as it is set up. */
export type FeedRefusal =
  | 'standby'
  | 'wal_level'
  | 'replication_right'
  | 'no_publication'
  | 'publication_operations'
  | 'publication_root';

/** What keeps the changes from being followed, the first thing first; undefined if nothing does. */
export function refusalOf({ server, role, publication }: FeedFacts): FeedRefusal | undefined {
  if (server.isStandby) return 'standby';
  if (server.walLevel !== 'logical') return 'wal_level';
  if (!role.mayReplicate) return 'replication_right';
  if (publication === null) return 'no_publication';
  if (publication.missingOperations.length > 0) return 'publication_operations';
  return publication.viaPartitionRoot ? 'publication_root' : undefined;
}

export const REFUSAL_TEXTS: Readonly<Record<FeedRefusal, string>> = {
  standby: 'the server is a standby; follow.url has to name the primary',
  wal_level: 'wal_level is not logical',
  replication_right: 'the role lacks REPLICATION',
  no_publication: 'there is no such publication',
  publication_operations: 'the publication leaves out insert, update, delete or truncate',
  publication_root: 'the publication has publish_via_partition_root',
};

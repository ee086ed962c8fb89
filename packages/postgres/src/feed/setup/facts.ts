import type { RelationPath } from '@proj/engine/database';

import type { TableObstacle } from './table-obstacles.ts';

export interface FeedFacts {
  readonly server: ServerFacts;
  readonly role: {
    readonly name: string;
    readonly mayReplicate: boolean;
  };
  /** The requested name, quoted like all names of roles and tables below. */
  readonly publicationName: string;
  readonly publication: PublicationFacts | null;
  readonly relations: readonly RelationFacts[];
}

export interface ServerFacts {
  /** As in server_version_num, such as 150014. */
  readonly version: number;
  readonly isStandby: boolean;
  /** Equal only for the same database of the same running server. */
  readonly identity: string;
  /** `minimal`, `replica` or `logical`. */
  readonly walLevel: string;
  readonly replicationSlots: { readonly used: number; readonly max: number };
  readonly walSenders: { readonly used: number; readonly max: number };
  /** Such as `-1` or `1GB`. */
  readonly maxSlotWalKeepSize: string;
  /** Such as `1min`, or `0` for none. */
  readonly walSenderTimeout: string;
}

export interface PublicationFacts {
  readonly owner: string;
  /** Whether it includes unnamed tables: all of them, or a schema's. */
  readonly isOpen: boolean;
  /** Of insert, update, delete and truncate. */
  readonly missingOperations: readonly string[];
  readonly viaPartitionRoot: boolean;
  /** Published tables without a replica identity, whose UPDATE and DELETE the server refuses. */
  readonly unidentified: readonly UnidentifiedTable[];
}

export interface UnidentifiedTable {
  readonly name: string;
  /** Whether the publication names it, rather than a table above it. */
  readonly isNamed: boolean;
}

export interface RelationFacts {
  readonly path: readonly [schema: string, name: string];
  readonly name: string;
  /** The planner's estimate; 0 where nobody has counted. */
  readonly estimatedRows: number;
  readonly tables: readonly TableFacts[];
}

/** Marks relations that are followed for callers whom the database knows, by the paths `shown`. */
export function withCallers(
  relations: readonly RelationFacts[],
  shown: readonly RelationPath[],
): RelationFacts[] {
  const paths = new Set(shown.map((path) => JSON.stringify(path)));
  return relations.map((relation) => {
    if (!paths.has(JSON.stringify(relation.path))) return relation;
    const tables = relation.tables.map((table) =>
      table.obstacle === 'row_security' ? { ...table, obstacle: null } : table,
    );
    return { ...relation, tables };
  });
}

export interface TableFacts {
  readonly name: string;
  readonly owner: string;
  /** A partitioned table holds no rows itself. */
  readonly kind: 'table' | 'partitioned' | 'foreign' | 'view';
  readonly hasChildren: boolean;
  /** Why the change log does not say what it shows; null where it does. */
  readonly obstacle: TableObstacle | null;
  /** By what the log identifies changed rows; `full` is all old values, null nothing. */
  readonly identity: 'key' | 'index' | 'full' | null;
  /** A unique index that could be the replica identity. */
  readonly candidate: string | null;
  readonly isPublished: boolean;
  readonly hasRowFilter: boolean;
  readonly hasColumnList: boolean;
}

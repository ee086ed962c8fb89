import type { RelationPath } from '@proj/engine/database';

import type { TableObstacle } from './table-obstacles.ts';

/** What of a server decides whether its changes can be followed. */
export interface FeedFacts {
  readonly server: ServerFacts;
  readonly role: {
    readonly name: string;
    /** Whether it has `REPLICATION`, or is a superuser. */
    readonly mayReplicate: boolean;
  };
  /** The name that was asked for, quoted as are all names of roles and tables below. */
  readonly publicationName: string;
  /** Null where there is none of this name. */
  readonly publication: PublicationFacts | null;
  /** Those of the relations that were asked for that exist. */
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
  /** Whether tables belong to it without being named: all of them, or those of a schema. */
  readonly isOpen: boolean;
  /** Which of insert, update, delete and truncate it leaves out. */
  readonly missingOperations: readonly string[];
  readonly viaPartitionRoot: boolean;
  /** Published tables whose rows nothing identifies: UPDATE and DELETE on them are refused. */
  readonly unidentified: readonly UnidentifiedTable[];
}

export interface UnidentifiedTable {
  readonly name: string;
  /** Whether the publication names it, rather than a table above it. */
  readonly isNamed: boolean;
}

export interface RelationFacts {
  /** The name in the database, outermost part first. */
  readonly path: readonly [schema: string, name: string];
  readonly name: string;
  /** How many rows the planner expects; 0 where nobody has counted. */
  readonly estimatedRows: number;
  /** The relation itself, and the tables below it. */
  readonly tables: readonly TableFacts[];
}

/**
 * The relations, of which some are followed for callers of whom the database knows who they are.
 *
 * @param shown the paths of those
 */
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

/** A relation, or a table that holds rows of it. */
export interface TableFacts {
  readonly name: string;
  readonly owner: string;
  /** A partitioned table holds no rows itself. */
  readonly kind: 'table' | 'partitioned' | 'foreign' | 'view';
  /** Whether other tables inherit from it. */
  readonly hasChildren: boolean;
  /** Why the change log does not say what it shows; null where it does. */
  readonly obstacle: TableObstacle | null;
  /**
   * What identifies the row that an update or a delete is about: the primary key, another index, or
   * all old values. Null where nothing does.
   */
  readonly identity: 'key' | 'index' | 'full' | null;
  /** A unique index that could be the replica identity. */
  readonly candidate: string | null;
  readonly isPublished: boolean;
  readonly hasRowFilter: boolean;
  readonly hasColumnList: boolean;
}

import type { RelationPath } from '../../catalogue/relation.ts';
import type { FacetValues } from '../../sql/group-clauses.ts';
import type { QueryStatements } from '../../sql/query-statements.ts';
import type { Versioned } from './primitives.ts';
import type { Snapshot } from './snapshot.ts';

/** What lists of one snapshot have in common. */
export interface SnapshotTerms extends Partial<
  Pick<QueryStatements, 'lock' | 'version' | 'session'>
> {
  /** Whose version is wanted; undefined where none is. */
  readonly relations?: readonly RelationPath[] | undefined;
}

/** What holds for all reads of a kind, whatever the database. */
export interface ReadRule<Asked> {
  /** How its snapshot begins. */
  termsOf(asked: Asked): SnapshotTerms;
  /** By which its cost is known. Default: the shape of the call. */
  shapeOf?(asked: Asked): string;
  /** Whether it runs in the background, on a connection that is not used for callers. */
  readonly isBackground?: boolean;
}

/** The same of reads that every database can answer by the statements of one snapshot. */
export interface SnapshotRule<Asked, Found extends Versioned> extends ReadRule<Asked> {
  /**
   * Reads by the statements of a snapshot. The result has the version that the statements report.
   */
  inSnapshot(snapshot: Snapshot, asked: Asked, values: FacetValues): Promise<Found>;
}

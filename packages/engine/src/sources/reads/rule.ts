import type { RelationPath } from '../../catalogue/relation.ts';
import type { FacetValues } from '../../sql/group-clauses.ts';
import type { QueryStatements } from '../../sql/query-statements.ts';
import type { Versioned } from './primitives.ts';
import type { Snapshot } from './snapshot.ts';

export interface SnapshotTerms extends Partial<
  Pick<QueryStatements, 'lock' | 'version' | 'session'>
> {
  /** Whose version is wanted; undefined where none is. */
  readonly relations?: readonly RelationPath[] | undefined;
}

/** What holds for a kind of read in all databases. */
export interface ReadRule<Asked> {
  termsOf(asked: Asked): SnapshotTerms;
  /** Default: the shape of the call. */
  shapeOf?(asked: Asked): string;
  /** Whether callers do not use its connection. */
  readonly isBackground?: boolean;
}

/** A kind that every database can answer in one snapshot. */
export interface SnapshotRule<Asked, Found extends Versioned> extends ReadRule<Asked> {
  /** The result has the version that the statements report. */
  inSnapshot(snapshot: Snapshot, asked: Asked, values: FacetValues): Promise<Found>;
}

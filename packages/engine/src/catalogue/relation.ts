import type { WireType } from '@proj/contract';

/** A column as the database describes it. */
export interface Column {
  readonly name: string;
  /** The database's own name of the type. */
  readonly databaseType: string;
  readonly type: WireType;
  /** The type of an array's elements. */
  readonly items?: WireType;
  readonly nullable: boolean;
  readonly description: string | null;
}

/** Columns that are unique together and never NULL. */
export type KeyCandidate = readonly { readonly column: string; readonly collation?: string }[];

/** A table, a view or what else the database lets one select from. */
export interface Relation {
  /** The name in the database, outermost part first. */
  readonly path: readonly string[];
  /** The name that a model made of it has unless the settings choose another. */
  readonly name: string;
  readonly kind: 'table' | 'view';
  readonly columns: readonly Column[];
  /** The best candidate first. */
  readonly keys: readonly KeyCandidate[];
  readonly description: string | null;
  /** Whether the columns' types are what was declared rather than what the values are, so that the settings may know better. */
  readonly typesAreHints?: boolean;
  /** Whether several statements of one transaction see one state of it. */
  readonly snapshots?: boolean;
  /** Whether the source's versions tell every change of what the relation shows. */
  readonly versioned?: boolean;
  /** Why the relation cannot be read, where the database says so. */
  readonly unusable?: string;
}

import type { WireType } from '@proj/contract';

import type { ModelError } from './model-settings.ts';
import type { Column, ComputedValue, Relation, RelationPath, Selection } from './relation.ts';

export interface AskedColumn {
  readonly relation: RelationPath;
  readonly selection?: Selection | undefined;
  readonly sql: string;
  /** Written by the database package for a place of a JSON column. Default: by the operator. */
  readonly isOwn?: boolean;
  readonly type: WireType | undefined;
  readonly isOfRow: boolean;
}

export interface Refused {
  readonly problem: string;
  readonly remedy: string;
  /** The key of the attribute's settings. Default: the one that has what is computed. */
  readonly key?: 'type' | 'path';
}

/** Where a value is in a JSON column: names of members, and numbers of items from 0. */
export interface JsonPlace {
  readonly column: string;
  readonly path: readonly (string | number)[];
}

/**
 * The value there as one of the type over the row `t`, NULL where it is absent or of another type;
 * undefined where the database has no such type.
 */
export type JsonPlaceSql = (place: JsonPlace, column: Column, type: WireType) => string | undefined;

export type DescribedColumn =
  | (Omit<Column, 'name' | 'nullable' | 'description'> & {
      readonly computed: ComputedValue;
      /** Whether to compute it for the records of a page alone, where that suffices. */
      readonly isLate?: boolean;
    })
  | Refused;

export interface AskedSelection {
  readonly sql: string;
  /** Whether the settings say what it reads. */
  readonly isVersioned: boolean;
}

export type DescribedSelection =
  | (Pick<Relation, 'columns' | 'typesAreHints' | 'unversioned'> & { readonly sql: string })
  | Refused;

export interface Described {
  readonly selections: ReadonlyMap<string, Relation | ModelError>;
  readonly columns: ReadonlyMap<string, ReadonlyMap<string, DescribedColumn>>;
}

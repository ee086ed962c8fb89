import type { WireType } from '@proj/contract';

import type { ComputedValue } from './computed.ts';
import type { Column, RelationPath } from './relation.ts';

/** A column that the database is asked to describe. */
export interface AskedColumn {
  readonly relation: RelationPath;
  readonly sql: string;
  /** Undefined where the settings have none. */
  readonly type: WireType | undefined;
  readonly isOfRow: boolean;
}

export type DescribedColumn =
  | (Omit<Column, 'name' | 'nullable' | 'description'> & { readonly computed: ComputedValue })
  | { readonly problem: string; readonly remedy: string };

/** By model and attribute. */
export type DescribedColumns = ReadonlyMap<string, ReadonlyMap<string, DescribedColumn>>;

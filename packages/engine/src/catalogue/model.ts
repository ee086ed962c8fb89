import type { WireType } from '@proj/contract';

/** One attribute of a model. */
export interface Attribute {
  /** The name on the wire. */
  readonly name: string;
  /** The column that holds it. */
  readonly column: string;
  readonly type: WireType;
  readonly nullable: boolean;
  readonly description: string | null;
}

/** One term of an order, over a column. */
export interface OrderTerm {
  readonly column: string;
  readonly direction: 'asc' | 'desc';
  readonly nulls: 'first' | 'last';
  /** The collation under which the column is unique, where it may differ from the column's own. */
  readonly collation?: string;
}

/** Something that callers can query: a table or a view, as the settings expose it. */
export interface Model {
  readonly name: string;
  readonly description: string | null;
  /** The relation's name in the database, outermost part first. */
  readonly path: readonly string[];
  readonly attributes: ReadonlyMap<string, Attribute>;
  /** Unique and never NULL: every order ends with it, which makes it total. */
  readonly key: readonly OrderTerm[];
  /** The largest page size that is answered. */
  readonly maxPageSize: number;
}

/** All models of an engine by name. */
export type Catalogue = ReadonlyMap<string, Model>;

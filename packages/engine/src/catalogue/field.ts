import type { WireType } from '@proj/contract';

import type { Encoding } from './encoding.ts';
import type { StoredAs } from './stored-as.ts';

/** A selected column: which column holds its value, and what it becomes on the wire. */
export interface Field {
  /** The member's name in a record. */
  readonly name: string;
  readonly column: string;
  /** The number of the join whose rows have the column; undefined for the rows that are listed. */
  readonly join?: number;
  readonly type: WireType;
  /** The type of an array's items. */
  readonly items: WireType | undefined;
  /** The database's own name of the type. */
  readonly databaseType: string;
  /** How its texts are stored, where that lacks characters. Default: it has them all. */
  readonly encoding?: Encoding | undefined;
  /** The collation that compares its texts. Default: that of the database. */
  readonly collation?: string | undefined;
  /**
   * How dates are stored, where the database has no type for them; those of groups are in the form
   * in which they are compared.
   */
  readonly storedAs?: StoredAs | 'compared' | undefined;
  /** Set where the value is no column's, but computed of those of several records. */
  readonly aggregate?: 'sum' | 'average';
}

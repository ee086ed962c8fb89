import type { WireType } from '@proj/contract';

import type { Encoding } from './encoding.ts';
import type { StoredAs } from './stored-as.ts';

export interface Field {
  readonly name: string;
  readonly column: string;
  /** The number of its join; undefined for the listed rows. */
  readonly join?: number;
  readonly type: WireType;
  readonly items: WireType | undefined;
  readonly databaseType: string;
  /** Where it lacks characters of Unicode. Default: it has them all. */
  readonly encoding?: Encoding | undefined;
  /** Compares its texts. Default: the database's collation. */
  readonly collation?: string | undefined;
  /** How dates are stored without a type for them; groups have them in their compared form. */
  readonly storedAs?: StoredAs | 'compared' | undefined;
  /** Set where the value is computed from several records. */
  readonly aggregate?: 'sum' | 'average';
}

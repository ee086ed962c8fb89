import type { WireType } from '@proj/contract';

import type { Encoding } from './encoding.ts';

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
  /** The name of the zone in which an hour is shown. Default: UTC. */
  readonly zone?: string | undefined;
  /** Set where the value is computed from several records. */
  readonly aggregate?: 'sum' | 'average';
}

/** Checked against its type. Of type `any`, texts follow `'` and blobs in base64 follow `x`. */
export type FilterValue = string | number | bigint | boolean;

/** How SQLite stores dates: https://sqlite.org/datatype3.html#date_and_time_datatype */
export const STORED_AS = ['text', 'julian_day', 'unix_seconds', 'unix_milliseconds'] as const;

export type StoredAs = (typeof STORED_AS)[number];

/** Databases without date types may store these in any of the ways. */
export const STORED_TYPES: ReadonlySet<WireType> = new Set(['date', 'timestamp', 'timestamp_tz']);

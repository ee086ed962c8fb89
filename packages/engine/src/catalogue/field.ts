import type { WireType } from '@proj/contract';

export interface Encoding {
  readonly name: string;
  /** Its characters beyond ASCII, as a regular expression's class lists them. */
  readonly characters: string;
}

export function lackedCharacter(text: string, encoding: Encoding | undefined): string | undefined {
  if (encoding === undefined || /^\p{ASCII}*$/u.test(text)) return undefined;
  return new RegExp(`[^\\p{ASCII}${encoding.characters}]`, 'u').exec(text)?.[0];
}

/** @param label its name in the Encoding Standard, https://encoding.spec.whatwg.org */
export function singleByteCharacters(label: string): string {
  const bytes = Uint8Array.from({ length: 0x80 }, (_, index) => 0x80 + index);
  const characters = new TextDecoder(label).decode(bytes).replaceAll('\ufffd', '');
  // The standard fills the gaps of these with control characters, and databases leave them.
  return label.startsWith('windows') ? characters.replaceAll(/[\u0080-\u009f]/g, '') : characters;
}

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

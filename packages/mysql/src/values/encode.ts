import { Decimals, type Field, Texts, type WireType, Zones } from '@proj/engine/database';

import type { Row } from '../connection/connection.ts';
import { decimalScaleOf, shortestFloat } from './operands.ts';
import { hourText } from './zones.ts';

export interface Encoding {
  readonly fields: readonly Field[];
  /** Limit of the JSON text, in bytes of UTF-8. */
  readonly maxBytes: number;
}

export type Encoder = (value: unknown) => string;

/** The JSON text of an array of records; undefined above `maxBytes`. */
export function encodeRows(
  rows: readonly Row[],
  { fields, maxBytes }: Encoding,
): string | undefined {
  const encodeRecord = recordEncoder(fields);
  const records: string[] = [];
  let length = 0;
  for (const row of rows) {
    const record = encodeRecord(row);
    records.push(record);
    length += record.length;
    // A character takes at least one byte, so an overlong text is never built.
    if (length > maxBytes) return undefined;
  }
  const json = `[${records.join(',')}]`;
  return Buffer.byteLength(json) > maxBytes ? undefined : json;
}

export function recordEncoder(fields: readonly Field[]): (row: Row) => string {
  const members = fields.map((field, index) => ({
    opening: `${index === 0 ? '{' : ','}${JSON.stringify(field.name)}:`,
    encode: encoderOf(field),
  }));
  return (row) => {
    let record = '';
    let index = 0;
    for (const { opening, encode } of members) {
      const value = row[index++];
      record += opening + (value === null ? 'null' : encode(value));
    }
    return `${record}}`;
  };
}

function encoderOf({ type, databaseType, aggregate, zone }: Field): Encoder {
  if (zone !== undefined) {
    const shown = Zones.zoneNamed(zone);
    return (value) => encodeText(hourText(isoTime(String(value), 'Z'), shown));
  }
  if (aggregate === 'average') return averageEncoder(decimalScaleOf({ databaseType }));
  const [name = ''] = /^\w+/.exec(databaseType) ?? [];
  if (type === 'float64' && name === 'float') return encodeFloat;
  if (type === 'decimal' && databaseType.includes('zerofill'))
    return (value) => encodeText(String(value).replace(/^0+(?=\d)/, ''));
  if (type === 'other' && name === 'bit') return bitEncoder(databaseType);
  if (type === 'other' && name === 'vector') return encodeVector;
  return ENCODERS[type] ?? encodeText;
}

const ENCODERS: Partial<Record<WireType, Encoder>> = {
  int32: encodeInt32,
  decimal: encodeDecimal,
  float64: encodeNumber,
  boolean: encodeBoolean,
  timestamp: (value) => encodeText(isoTime(String(value), '')),
  timestamp_tz: (value) => encodeText(isoTime(String(value), 'Z')),
  json: encodeJson,
};

/** A value's text form, bytes as base64; also for unexpected values, as after an `alter table`. */
function encodeText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return Buffer.isBuffer(value) ? quoted(value.toString('base64')) : JSON.stringify(String(value));
}

/** Sums of floating point numbers come as doubles. */
function encodeDecimal(value: unknown): string {
  return encodeText(typeof value === 'number' ? Decimals.decimalDigits(value) : value);
}

/** For texts whose characters need no escape in JSON. */
function quoted(text: string): string {
  return `"${text}"`;
}

function encodeNumber(value: unknown): string {
  if (typeof value !== 'number') return encodeText(value);
  return Object.is(value, -0) ? '-0' : String(value);
}

function encodeFloat(value: unknown): string {
  return encodeNumber(typeof value === 'number' ? shortestFloat(value) : value);
}

/** MySQL widens an int to `bigint`, a text here, after comparisons or beside NULL. */
function encodeInt32(value: unknown): string {
  const isDigits = typeof value === 'string' && value === String(Number(value) | 0);
  return isDigits ? value : encodeNumber(value);
}

/** `tinyint(1)` and `bit(1)`. The former holds other numbers too. */
function encodeBoolean(value: unknown): string {
  const number = Buffer.isBuffer(value) && value.length === 1 ? value[0] : value;
  const digits = String(number);
  return digits === '0' || digits === '1' ? String(digits === '1') : encodeText(value);
}

/** `2026-01-31 23:59:59.500000` → `2026-01-31T23:59:59.5`. Dates without a day or month stay. */
function isoTime(text: string, zone: string): string {
  const trimmed = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  if (trimmed[10] !== ' ' || trimmed.slice(5, 7) === '00' || trimmed.slice(8, 10) === '00')
    return trimmed;
  return `${trimmed.slice(0, 10)}T${trimmed.slice(11)}${zone}`;
}

/** MariaDB accepts some invalid JSON, such as `1.`; this travels as strings. */
function encodeJson(value: unknown): string {
  if (typeof value !== 'string') return encodeText(value);
  try {
    JSON.parse(value);
  } catch {
    return JSON.stringify(value);
  }
  return Texts.minifyJson(value);
}

/** Drops trailing zeros beyond the scale of the averaged column. */
function averageEncoder(scale: number): Encoder {
  return (value) => {
    const number = typeof value === 'number' ? undefined : Decimals.readScaled(String(value));
    return number === undefined
      ? encodeDecimal(value)
      : quoted(Decimals.printScaled(Decimals.trimScaled(number, scale)));
  };
}

/** `bit(5)` → `"00101"`. */
function bitEncoder(databaseType: string): Encoder {
  const width = Number(/\d+/.exec(databaseType)?.[0] ?? 1);
  return (value) =>
    Buffer.isBuffer(value)
      ? quoted(
          BigInt(`0x${value.toString('hex')}`)
            .toString(2)
            .padStart(width, '0'),
        )
      : encodeText(value);
}

/** `[1,0.5]`, from the driver's numbers or from the stored 32-bit floats. */
function encodeVector(value: unknown): string {
  const floats: unknown[] = Buffer.isBuffer(value)
    ? Array.from({ length: value.length / 4 }, (_, index) => value.readFloatLE(index * 4))
    : [value].flat();
  return quoted(`[${floats.map((float) => encodeFloat(float)).join(',')}]`);
}

import { jsonValueText, type WireType } from '@proj/contract';
import type { ExportedColumn } from '@proj/engine';
import type { ParquetWriter } from 'hyparquet-writer';

import { daysOf, timeOf, unitsOf } from './moments.ts';

type SchemaNode = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];

type NodeType = Omit<SchemaNode, 'name' | 'repetition_type'>;

interface ScalarType {
  readonly node: NodeType;
  /** Undefined where the text has no value of the type. */
  readonly read: (text: string) => unknown;
}

type TypedColumn = Pick<ExportedColumn, 'type' | 'extremes' | 'decimal'>;

const TEXT: ScalarType = {
  node: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  read: (text) => text,
};

/** JSON is written as it came, so that its numbers keep their digits. */
const JSON_TEXT: NodeType = { type: 'BYTE_ARRAY', logical_type: { type: 'JSON' } };

const INT32 = integer({ type: 'INT32' }, (number) => BigInt.asIntN(32, number), Number);
const INT64 = integer({ type: 'INT64' }, (number) => BigInt.asIntN(64, number));
const UNSIGNED = integer(
  // The writer corrupts the file if the logical type says so.
  { type: 'INT64', converted_type: 'UINT_64' },
  (number) => BigInt.asUintN(64, number),
);

/** A JSON number, or one that JSON lacks; JavaScript would read more. */
const FLOAT = /^-?(?:\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|Infinity)$|^NaN$/;

const FLOAT64: ScalarType = {
  node: { type: 'DOUBLE' },
  read: (text) => (FLOAT.test(text) ? Number(text) : undefined),
};

const BOOLEAN: ScalarType = {
  node: { type: 'BOOLEAN' },
  read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
};

const DATE: ScalarType = {
  node: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
  read: daysOf,
};

const UUID: ScalarType = {
  node: { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, logical_type: { type: 'UUID' } },
  read: (text) =>
    /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
      ? Buffer.from(text.replaceAll('-', ''), 'hex')
      : undefined,
};

const BYTES: ScalarType = {
  node: { type: 'BYTE_ARRAY' },
  read: (text) => Buffer.from(text, 'base64'),
};

/** Those without a type of their own are written as they came: JSON numbers keep their digits. */
type Typed = Exclude<WireType, 'json' | 'any' | 'array'>;

/** THE table of what each wire type is in the file; docs/reference/types.md lists it. */
const PARQUET_TYPES: Readonly<Record<Typed, (column: TypedColumn) => ScalarType>> = {
  text: () => TEXT,
  enum: () => TEXT,
  interval: () => TEXT,
  inet: () => TEXT,
  range: () => TEXT,
  other: () => TEXT,
  uuid: () => UUID,
  int32: () => INT32,
  int64: ({ extremes }) => (extremes.includes('unsigned') ? UNSIGNED : INT64),
  decimal: ({ decimal }) => (decimal === undefined ? TEXT : decimalType(decimal)),
  float64: () => FLOAT64,
  boolean: () => BOOLEAN,
  date: () => DATE,
  // MariaDB's times may be negative, or longer than a day.
  time: (column) => (column.extremes.includes('long_times') ? TEXT : clock(column, 'TIME')),
  timestamp: (column) => clock(column, 'TIMESTAMP'),
  timestamp_tz: (column) => clock(column, 'TIMESTAMP'),
  bytes: () => BYTES,
};

/** Of a column, or of the items of a list; undefined where these are written as JSON. */
function scalarOf(column: ExportedColumn): ScalarType | undefined {
  const isList = column.type === 'array';
  const type = isList ? column.items : column.type;
  if (type === undefined || type === 'json' || type === 'any' || type === 'array') return undefined;
  return PARQUET_TYPES[type](isList ? { ...column, type, decimal: undefined } : column);
}

/** Whether a column has a type in which a value may not fit; texts and JSON hold all. */
export function isTyped(column: ExportedColumn): boolean {
  const scalar = scalarOf(column);
  return scalar !== undefined && (column.type === 'array' || scalar !== TEXT);
}

function clock({ type: wireType, extremes }: TypedColumn, type: 'TIME' | 'TIMESTAMP'): ScalarType {
  const isFine = extremes.includes('nanoseconds');
  const isAdjustedToUTC = wireType === 'timestamp_tz';
  const unit = isFine ? 'NANOS' : 'MICROS';
  const units = type === 'TIME' ? timeOf : unitsOf;
  return {
    node: { type: 'INT64', logical_type: { type, isAdjustedToUTC, unit } },
    read: (text) => units(text, isFine ? 9 : 6),
  };
}

const MOST_DIGITS = 38;

const DECIMAL = /^(-?)(\d+)(?:\.((?:\d*[1-9])?)0*)?$/;

/** Numbers that readers cannot take become texts. */
function decimalType({ precision, scale }: NonNullable<TypedColumn['decimal']>): ScalarType {
  if (precision > MOST_DIGITS || scale < 0 || scale > precision) return TEXT;
  const limit = 10n ** BigInt(precision);
  const size =
    precision <= 18
      ? ({ type: 'INT64' } as const)
      : ({ type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16 } as const);
  return {
    node: {
      ...size,
      converted_type: 'DECIMAL',
      logical_type: { type: 'DECIMAL', precision, scale },
      precision,
      scale,
    },
    read: (text) => {
      const [, sign, whole, fraction = ''] = DECIMAL.exec(text) ?? [];
      if (whole === undefined || fraction.length > scale) return undefined;
      const number = BigInt(whole + fraction.padEnd(scale, '0'));
      if (number >= limit) return undefined;
      return sign === '' ? number : -number;
    },
  };
}

/** @param wrapped what becomes of a number that does not fit; of others, themselves */
function integer(
  node: NodeType,
  wrapped: (number: bigint) => bigint,
  as: (number: bigint) => unknown = (number) => number,
): ScalarType {
  const read = (text: string): unknown => {
    if (!/^-?\d{1,20}$/.test(text)) return undefined;
    const number = BigInt(text);
    return number === wrapped(number) ? as(number) : undefined;
  };
  return { node, read };
}

export interface ParquetColumn {
  readonly name: string;
  /** Its part of the schema: a list has three nodes. */
  readonly schema: readonly SchemaNode[];
  /** Of JSON other than `null`; undefined where it has no value of the column's type. */
  readonly read: (json: string) => unknown;
}

export function parquetColumn(column: ExportedColumn): ParquetColumn {
  const { name, type } = column;
  const { node, read } = scalarOf(column) ?? {};
  // Nullable: along a path any value may be NULL, whatever the database says.
  const itself = { name, repetition_type: 'OPTIONAL' } as const;
  if (read === undefined)
    return { name, schema: [{ ...itself, ...JSON_TEXT }], read: (json) => Buffer.from(json) };
  if (type !== 'array')
    return {
      name,
      schema: [{ ...itself, ...node }],
      read: (json) => read(jsonValueText(json) ?? ''),
    };
  const schema: SchemaNode[] = [
    { ...itself, converted_type: 'LIST', logical_type: { type: 'LIST' }, num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', repetition_type: 'OPTIONAL', ...node },
  ];
  return { name, schema, read: (json) => readList(json, read) };
}

/** A nested list does not fit the column. */
function readList(json: string, read: ScalarType['read']): unknown[] | undefined {
  const values: unknown[] = [];
  for (const item of JSON.parse(json) as (string | number | boolean | object | null)[]) {
    if (typeof item === 'object' && item !== null) return undefined;
    const value = item === null ? null : read(Object.is(item, -0) ? '-0' : String(item));
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}

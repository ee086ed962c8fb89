import type { ExportedColumn } from '@proj/engine';

import {
  JSON_TEXT,
  PARQUET_TYPES,
  type ScalarType,
  type SchemaNode,
  textOf,
} from './column-types.ts';

export interface ParquetColumn {
  readonly name: string;
  /** Its part of the schema: a list has three nodes. */
  readonly schema: readonly SchemaNode[];
  /** `null` for NULL, undefined where the JSON text has no value of the column's type. */
  readonly read: (json: string) => unknown;
}

export function parquetColumn(column: ExportedColumn): ParquetColumn {
  const { name, type, items } = column;
  if (type === 'json' || type === 'any') return jsonColumn(name);
  if (type !== 'array') return scalarColumn(name, PARQUET_TYPES[type](column));
  if (items === undefined || items === 'json' || items === 'any' || items === 'array')
    return jsonColumn(name);
  return listColumn(name, PARQUET_TYPES[items]({ ...column, decimal: undefined }));
}

/** Nullable: along a path any value may be NULL, whatever the database says. */
function scalarColumn(name: string, { node, read }: ScalarType) {
  return {
    name,
    schema: [{ name, repetition_type: 'OPTIONAL', ...node }],
    read: (json) => (json === 'null' ? null : read(textOf(json))),
  } satisfies ParquetColumn;
}

function jsonColumn(name: string): ParquetColumn {
  return {
    name,
    schema: [{ name, repetition_type: 'OPTIONAL', ...JSON_TEXT }],
    read: (json) => (json === 'null' ? null : Buffer.from(json)),
  };
}

function listColumn(name: string, { node, read }: ScalarType) {
  return {
    name,
    schema: [
      {
        name,
        repetition_type: 'OPTIONAL',
        converted_type: 'LIST',
        logical_type: { type: 'LIST' },
        num_children: 1,
      },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      { name: 'element', repetition_type: 'OPTIONAL', ...node },
    ],
    read: (json) => (json === 'null' ? null : readList(json, read)),
  } satisfies ParquetColumn;
}

/** A nested list does not fit the column. */
function readList(json: string, read: ScalarType['read']): unknown[] | undefined {
  const values: unknown[] = [];
  for (const item of JSON.parse(json) as (string | number | boolean | object | null)[]) {
    const value = item === null ? null : typeof item === 'object' ? undefined : read(String(item));
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}

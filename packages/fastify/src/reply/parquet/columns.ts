import { jsonValueText } from '@proj/contract';
import type { ExportedColumn } from '@proj/engine';

import { JSON_TEXT, scalarOf, type ScalarType, type SchemaNode } from './column-types.ts';

export interface ParquetColumn {
  readonly name: string;
  /** Its part of the schema: a list has three nodes. */
  readonly schema: readonly SchemaNode[];
  /** `null` for NULL, undefined where the JSON text has no value of the column's type. */
  readonly read: (json: string) => unknown;
}

export function parquetColumn(column: ExportedColumn): ParquetColumn {
  const scalar = scalarOf(column);
  const { schema, read } = scalar === undefined ? JSON_COLUMN : typed(column, scalar);
  const [first, ...others] = schema;
  // Nullable: along a path any value may be NULL, whatever the database says.
  return {
    name: column.name,
    schema: [{ name: column.name, repetition_type: 'OPTIONAL', ...first }, ...others],
    read: (json) => (json === 'null' ? null : read(json)),
  };
}

interface Unnamed {
  readonly schema: readonly [Omit<SchemaNode, 'name'>, ...SchemaNode[]];
  readonly read: (json: string) => unknown;
}

const JSON_COLUMN: Unnamed = { schema: [JSON_TEXT], read: (json) => Buffer.from(json) };

function typed({ type }: ExportedColumn, { node, read }: ScalarType): Unnamed {
  if (type !== 'array') return { schema: [node], read: (json) => read(jsonValueText(json) ?? '') };
  return {
    schema: [
      { converted_type: 'LIST', logical_type: { type: 'LIST' }, num_children: 1 },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      { name: 'element', repetition_type: 'OPTIONAL', ...node },
    ],
    read: (json) => readList(json, read),
  };
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

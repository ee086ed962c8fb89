import type { WireType } from '@proj/contract';
import type { ModelSettings } from '@proj/engine';

import type { ColumnKind, Fixture, FixtureDatabase, StoredValue } from '../fixtures/fixture.ts';

/** What a column holds, and whether it may be NULL. */
export type ColumnSpec = ColumnKind | `${ColumnKind} not null`;

/** A table that every database gets. Its key is `id`, the number of the row, from 1 on. */
export interface Table {
  readonly name: string;
  readonly columns: Readonly<Record<string, ColumnSpec>>;
  /** The values of each row, in the order of the columns. */
  readonly rows: readonly (readonly StoredValue[])[];
}

/** Makes a table and fills it. */
export async function createTable(
  fixture: Fixture,
  database: FixtureDatabase,
  { name, columns, rows }: Table,
): Promise<void> {
  const specs = Object.entries(columns).map(([column, spec]) => ({ column, ...read(spec) }));
  const id = fixture.identifier('id');
  const declared = specs.map(({ column, kind, nullable }) => {
    const type = fixture.columnTypes[kind];
    return `${fixture.identifier(column)} ${nullable ? type : `${type.replace(' null default null', '')} not null`}`;
  });
  const table = fixture.identifier(name);
  const statements = [
    `create table ${table} (${[`${id} integer not null primary key`, ...declared].join(', ')})`,
  ];
  for (let from = 0; from < rows.length; from += 200) {
    const tuples = rows.slice(from, from + 200).map((values, index) => {
      const literals = specs.map(({ kind }, column) =>
        fixture.literal(values[column] ?? null, kind),
      );
      return `(${[from + index + 1, ...literals].join(', ')})`;
    });
    statements.push(`insert into ${table} values ${tuples.join(',\n')}`);
  }
  await database.execute(statements);
}

/** The settings that say what the database cannot know. */
export function modelSettings(
  fixture: Fixture,
  tables: readonly Table[],
): Record<string, ModelSettings> {
  if (!fixture.declaresTypes) return {};
  return Object.fromEntries(
    tables.map(({ name, columns }) => {
      const types = Object.entries(columns).map(
        ([column, spec]) => [column, { type: wireTypeOf(spec) }] as const,
      );
      return [
        name,
        {
          attributes: Object.fromEntries([['id', { type: 'int32' }], ...types]),
        } satisfies ModelSettings,
      ];
    }),
  );
}

/** The wire type of a column. */
export function wireTypeOf(spec: ColumnSpec): WireType {
  const { kind } = read(spec);
  if (kind === 'wide_decimal') return 'decimal';
  return kind === 'prose' ? 'text' : kind;
}

function read(spec: ColumnSpec): { kind: ColumnKind; nullable: boolean } {
  const [kind] = spec.split(' ') as [ColumnKind];
  return { kind, nullable: !spec.endsWith(' not null') };
}

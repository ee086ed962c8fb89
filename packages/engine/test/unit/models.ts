import type { WireType } from '@proj/contract';

import { buildCatalogue, type BuiltCatalogue } from '../../src/catalogue/build/build.ts';
import type { Grant } from '../../src/catalogue/grant.ts';
import { EVERYTHING } from '../../src/catalogue/grant.ts';
import type { ExposeSettings } from '../../src/catalogue/model-settings.ts';
import type { Catalogue, Model } from '../../src/catalogue/model.ts';
import type { Column, Relation } from '../../src/catalogue/relation.ts';
import type { TableRows } from '../../src/planning/list-rows.ts';
import { Names } from '../../src/planning/names.ts';
import { type Plan, planQuery } from '../../src/planning/plan.ts';

/** A column whose type in the database is nobody's. */
export function columnOf(name: string, type: WireType = 'text', nullable = true): Column {
  return { name, databaseType: '', type, nullable, description: null };
}

/** A table whose key is its first column. */
export function tableOf(
  name: string,
  columns: readonly Column[],
  changes: Partial<Relation> = {},
): Relation {
  const [first] = columns;
  const keys = first === undefined ? [] : [[{ column: first.name }]];
  const common = { path: [name], name, kind: 'table', description: null, snapshots: true } as const;
  return { ...common, columns, keys, ...changes };
}

/** What is made of tables: every one is a model, unless the settings say otherwise. */
export function buildOf(
  tables: readonly Relation[],
  settings: Partial<ExposeSettings> = {},
): BuiltCatalogue {
  return buildCatalogue(tables, { expose: 'all', models: {}, maxPageSize: 100, ...settings });
}

/** Every table as a model. */
export function catalogueOf(...tables: readonly Relation[]): Catalogue {
  return buildOf(tables).catalogue;
}

/** A table with a column for each kind of type. */
export const NOTES: Relation = tableOf('notes', [
  columnOf('id', 'int64', false),
  columnOf('word'),
  columnOf('size', 'float64'),
  columnOf('rank', 'int32', false),
  columnOf('at', 'timestamp'),
  columnOf('doc', 'json'),
  { ...columnOf('span', 'range'), items: 'int32' },
]);

/** A list of records. */
export type TablePlan = Plan & { readonly rows: TableRows };

/** The plan of a request for notes with these members. */
export function planOf(members: object = {}, grant: Grant = EVERYTHING): TablePlan {
  const plan = anyPlanOf(members, grant);
  const { rows } = plan;
  if (rows.kind !== 'table') throw new Error('The list is one of groups.');
  return { ...plan, rows };
}

/** The same, whatever the rows of the list are. */
export function anyPlanOf(
  members: object,
  grant: Grant = EVERYTHING,
  catalogue: Catalogue = catalogueOf(NOTES),
): Plan {
  const body = {
    query_model: 'notes',
    query_attributes: ['word'],
    page: { page: 1, size: 10 },
    ...members,
  };
  const planning = planQuery(body, catalogue, grant);
  if (!planning.ok) throw new Error(JSON.stringify(planning.errors));
  return planning.plan;
}

/** What names mean to a caller who sees all of a model, and of the models of a catalogue. */
export function namesOf(model: Model, catalogue: Catalogue = new Map()): Names {
  return Names.of({ visible: model, full: model, rowPolicy: undefined }, catalogue, EVERYTHING);
}

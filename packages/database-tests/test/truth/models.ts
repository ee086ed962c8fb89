import type { EngineSettings, ModelSettings, SortSettings } from '@proj/engine';

import type { ColumnKind, Fixture } from '../fixtures/fixture.ts';
import { wireTypeOf } from '../databases/tables.ts';

/** A value that every database holds, compares and prints alike. */
export type Value = null | number | string | boolean;

/** One record of a model, never changed: a later state holds another object. */
export interface Row {
  readonly id: number;
  readonly [column: string]: Value;
}

/** What the columns of the two tables and of the view hold. Texts are compared byte for byte. */
const COLUMNS = {
  tasks: {
    id: 'int32',
    owner: 'int32',
    grade: 'int32',
    word: 'text',
    moment: 'text',
    done: 'boolean',
    note: 'text',
  },
  owners: { id: 'int32', title: 'text' },
  owned_tasks: { id: 'int32', owner: 'int32', grade: 'int32', word: 'text', title: 'text' },
} as const satisfies Record<string, Readonly<Record<string, ColumnKind>>>;

export type TableName = 'tasks' | 'owners';
export type ModelName = keyof typeof COLUMNS;

export const MODEL_NAMES = Object.keys(COLUMNS) as ModelName[];

/** The columns of a model, in order. */
export function columnsOf(model: ModelName): readonly string[] {
  return Object.keys(COLUMNS[model]);
}

/** What a model is sorted by after what the caller asks for, and before its key. */
export const DEFAULT_SORT: Readonly<Record<ModelName, readonly SortSettings[]>> = {
  tasks: [],
  owners: [],
  owned_tasks: [{ attribute: 'title', direction: 'desc' }],
};

/** How many owners there can be. */
export const OWNERS = 20;

/** The statements that make the tables and the view. */
export function schemaOf({ columnTypes }: Fixture): string[] {
  const { int32, text, boolean } = columnTypes;
  return [
    `create table owners (id ${int32} not null primary key, title ${text} not null)`,
    `create table tasks (id ${int32} not null primary key, owner ${int32} not null, grade ${int32}, word ${text},
      moment ${text} not null, done ${boolean} not null, note ${text} not null)`,
    'create index tasks_by_grade on tasks (grade)',
    `create view owned_tasks as select tasks.id as id, tasks.owner as owner, tasks.grade as grade, tasks.word as word,
      owners.title as title from tasks join owners on owners.id = tasks.owner`,
  ];
}

/** The settings that say what the database cannot know. */
export function exposure(fixture: Fixture): Pick<EngineSettings, 'models'> {
  const settings = MODEL_NAMES.map((name): [string, ModelSettings] => [
    name,
    {
      ...(name === 'owned_tasks' && { key: ['id'] }),
      ...(fixture.declaresTypes && { attributes: typesOf(name) }),
      defaultSort: DEFAULT_SORT[name],
    },
  ]);
  return { models: Object.fromEntries(settings) };
}

function typesOf(name: ModelName): NonNullable<ModelSettings['attributes']> {
  return Object.fromEntries(
    Object.entries(COLUMNS[name]).map(([column, kind]) => [column, { type: wireTypeOf(kind) }]),
  );
}

import { nameTexts, WIRE_TYPES, type WireType } from '@proj/contract';

import type { JsonPlaceSql, Refused } from '../described-column.ts';
import type { AttributeSettings, ModelSettings } from '../model-settings.ts';
import type { Relation } from '../relation.ts';
import { entriesOf } from './computed-columns.ts';

interface Declared {
  readonly relation: Relation;
  readonly model: ModelSettings;
}

export function jsonPlaceSql(
  { json = '', path = [], type }: AttributeSettings,
  { relation, model }: Declared,
  sqlOf: JsonPlaceSql | undefined,
): string | Refused {
  if (sqlOf === undefined) return NO_PLACES;
  const column = relation.columns.find(({ name }) => name === json);
  const others = jsonColumns({ relation, model });
  if (column === undefined) {
    const remedy = others.length === 0 ? 'No column is JSON.' : `JSON: ${nameTexts(others)}.`;
    return { problem: `It has no column named "${json}".`, remedy };
  }
  if (!others.includes(json)) {
    const problem = `The column "${json}" is of type ${column.type}, not json.`;
    return { problem, remedy: 'Name a column of JSON, or use `sql`.' };
  }
  if (path.length === 0) return NO_PATH;
  if (path.some(isNoStep)) return NO_STEP;
  const sqlAs = (wanted: WireType) => sqlOf({ column: json, path }, column, wanted);
  return (type && sqlAs(type)) ?? noType(type, sqlAs);
}

function isNoStep(step: string | number): boolean {
  if (typeof step === 'number') return !Number.isInteger(step) || step < 0 || step > 2 ** 31 - 1;
  return step.includes('\0') || !step.isWellFormed();
}

/** Those that the database or, where it takes the settings' word, an attribute says to be JSON. */
function jsonColumns({ relation: { columns, typesAreHints = false }, model }: Declared): string[] {
  const declared = entriesOf(model).flatMap(([name, { column, sql, json, type }]) =>
    typesAreHints && type === 'json' && sql === undefined && json === undefined
      ? (column ?? name)
      : [],
  );
  return columns.flatMap(({ name, type, computed }) =>
    computed === undefined && (type === 'json' || declared.includes(name)) ? name : [],
  );
}

function noType(
  type: WireType | undefined,
  sqlAs: (type: WireType) => string | undefined,
): Refused {
  const problem =
    type === undefined ? 'It has no type.' : `The database reads no ${type} from JSON.`;
  const types = (Object.keys(WIRE_TYPES) as WireType[]).filter((one) => sqlAs(one) !== undefined);
  if (types.length === 0) return NO_PLACES;
  return { key: 'type', problem, remedy: `Say "type", one of: ${types.join(', ')}.` };
}

const NO_PLACES: Refused = {
  problem: 'The database reads no places of this column.',
  remedy: 'Leave it out, or use `sql`.',
};

const NO_PATH: Refused = {
  key: 'path',
  problem: 'It has no path into the JSON.',
  remedy: 'Say `path`, such as `[color]` or `[sizes, 0]`.',
};

const NO_STEP: Refused = {
  key: 'path',
  problem: 'The path has a number that is no place of an array, or a text that is no Unicode.',
  remedy: 'Write names of members, and whole numbers from 0 for items.',
};

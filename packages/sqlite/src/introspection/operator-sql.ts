import {
  type Column,
  type Introspection,
  QueryFailedError,
  Texts,
  type WireType,
} from '@proj/engine/database';

import { extremesOf, wireTypeOf } from '../values/wire-types.ts';
import { CLOCKS, VARYING_CALLS } from './view-sql.ts';
import type { ShownColumn } from './view-keys.ts';

type Refused = Introspection.Refused;

/** Prepares a statement, and gives its columns. */
type ColumnsOf = (sql: string) => Promise<readonly ShownColumn[]>;

const TYPES = Object.fromEntries(
  'text int32 int64 decimal float64 boolean uuid date time timestamp timestamp_tz bytes json any'
    .split(' ')
    .map((type) => [type, '']),
) as Partial<Record<WireType, string>>;

const RULES: Texts.OperatorRules = {
  words: { brackets: true, refused: '?:@$#\\' },
  types: TYPES,
  varying: VARYING_CALLS,
  clocks: CLOCKS,
};

/** Values are encoded and compared by what they are, as those of a view. */
export async function describeComputed(
  columns: readonly Introspection.AskedColumn[],
  columnsOf: ColumnsOf,
): Promise<Introspection.DescribedColumn[]> {
  const described: Introspection.DescribedColumn[] = [];
  for (const column of columns) described.push(await describeOne(column, columnsOf));
  return described;
}

async function describeOne(
  asked: Introspection.AskedColumn,
  columnsOf: ColumnsOf,
): Promise<Introspection.DescribedColumn> {
  const { relation, selection, sql, type = 'any', isOfRow } = asked;
  const refused = Texts.refusedColumn(asked, RULES);
  if (refused !== undefined) return refused;
  const rows = selection === undefined ? quoted(relation.at(-1) ?? '') : `(${selection.sql})`;
  // No aggregate is part of a condition.
  const condition = `select null from ${rows} as "t" where (${sql}\n) is not null`;
  const found = await tried(columnsOf, condition);
  if ('problem' in found) return found;
  const shown = await tried(columnsOf, `select (${sql}\n) as "x" from ${rows} as "t"`);
  if ('problem' in shown) return shown;
  const computed = { sql: `${sql}\n`, isOfRow };
  const collation = shown.columns[0]?.collation;
  const facts = { type, databaseType: '', extremes: extremesOf('', false), computed };
  return collation === undefined ? facts : { ...facts, collation };
}

export async function describeSelection(
  selection: Introspection.AskedSelection,
  columnsOf: ColumnsOf,
): Promise<Introspection.DescribedSelection> {
  const refused = Texts.refusedSelection(selection, RULES);
  if (refused !== undefined) return refused;
  const { sql: text } = selection;
  const found = await tried(columnsOf, `select * from (${text}\n)`);
  if ('problem' in found) return found;
  return { sql: `${text}\n`, typesAreHints: true, columns: found.columns.map(columnOf) };
}

/** An expression has no declared type; the settings may say one. */
function columnOf({ name, type, collation }: ShownColumn): Column {
  const databaseType = type ?? '';
  return {
    name,
    databaseType,
    type: wireTypeOf(databaseType),
    nullable: true,
    description: null,
    extremes: extremesOf(databaseType, false),
    ...(collation !== undefined && { collation }),
  };
}

async function tried(
  columnsOf: ColumnsOf,
  sql: string,
): Promise<{ readonly columns: readonly ShownColumn[] } | Refused> {
  try {
    return { columns: await columnsOf(sql) };
  } catch (error) {
    const isOfText = !(error instanceof QueryFailedError) || error.code === 'schema_changed';
    if (!isOfText || !(error instanceof Error)) throw error;
    const problem = `${error.message.replace(/^SQLite: /, 'SQLite says: ')}.`;
    const remedy = 'Correct it. Of an attribute, the row is `t`: `t.price`, or `price`.';
    return { problem, remedy };
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

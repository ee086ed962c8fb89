import { type Column, type Introspection, QueryFailedError, Texts } from '@proj/engine/database';

import { extremesOf, wireTypeOf } from '../values/wire-types.ts';
import { quoted } from './select.ts';
import { CLOCKS, lowered, VARYING_CALLS } from './view-sql.ts';
import type { ShownColumn } from './view-keys.ts';

type ColumnsOf = (sql: string) => Promise<readonly ShownColumn[]>;

const TYPES =
  'text int32 int64 decimal float64 boolean uuid date time timestamp timestamp_tz bytes json any';

const RULES: Texts.OperatorRules = {
  name: 'SQLite',
  words: { brackets: true, refused: '?:@$#\\' },
  types: TYPES.split(' '),
  varying: VARYING_CALLS,
  clocks: CLOCKS,
};

/** Values are encoded and compared by what they are, as those of a view. */
export async function describeComputed(
  asked: Introspection.AskedColumn,
  columnsOf: ColumnsOf,
): Promise<Introspection.DescribedColumn> {
  const { sql, type = 'any', isOfRow } = asked;
  const refused = Texts.refusedColumn(asked, RULES);
  const { condition, value } = Texts.statementsOf(asked, quoted);
  const columnsIn = async (placed: Texts.PlacedSql) =>
    Texts.tried(() => columnsOf(Texts.sqlOf(placed)), RULES, messageOf);
  const fits = refused ?? (await columnsIn(condition));
  const shown = 'problem' in fits ? fits : await columnsIn(value);
  if ('problem' in shown) return shown;
  const computed = { sql: `${sql}\n`, isOfRow };
  const collation = shown[0]?.collation;
  const facts = { type, databaseType: '', extremes: extremesOf('', false), computed };
  return collation === undefined ? facts : { ...facts, collation };
}

export async function describeSelection(
  selection: Introspection.AskedSelection,
  columnsOf: ColumnsOf,
): Promise<Introspection.DescribedSelection> {
  const refused = Texts.refusedSelection(selection, RULES);
  const { sql: text } = selection;
  const shown = `select * from (${text}\n)`;
  const found = refused ?? (await Texts.tried(() => columnsOf(shown), RULES, messageOf));
  if ('problem' in found) return found;
  return {
    sql: `${text}\n`,
    typesAreHints: true,
    columns: found.map((column) => columnOf(column, text)),
  };
}

const COMPOUND = /\b(?:union|except|intersect)\b/i;

/** SQLite declares nothing of an expression, and of parts, as a view may have, what one stores. */
function columnOf({ name, table, type, collation }: ShownColumn, text: string): Column {
  const declared = type ?? '';
  const isOfTable = table !== null && lowered(text).includes(lowered(table));
  return {
    name,
    databaseType: isOfTable && !COMPOUND.test(text) ? declared : '',
    type: wireTypeOf(declared),
    nullable: true,
    description: null,
    extremes: extremesOf(declared, false),
    ...(collation !== undefined && { collation }),
  };
}

function messageOf(error: unknown): string | undefined {
  const isOfText = !(error instanceof QueryFailedError) || error.code === 'schema_changed';
  return isOfText && error instanceof Error ? error.message.replace(/^SQLite: /, '') : undefined;
}

import { type Introspection, Texts, type WireType } from '@proj/engine/database';

import { factsOf } from './introspect.ts';
import { typeOf } from './types.ts';
import type { Ask } from './view-facts.ts';

type Refused = Introspection.Refused;

const TYPES = Object.fromEntries(
  'text int32 int64 decimal float64 boolean uuid date time timestamp timestamp_tz bytes json array'
    .split(' ')
    .map((type) => [type, '']),
) as Partial<Record<WireType, string>>;

/** Types whose values are all among another's. */
const WIDER: Partial<Record<WireType, readonly WireType[]>> = {
  int32: ['int64', 'decimal'],
  int64: ['decimal'],
  enum: ['text'],
};

const RULES: Texts.OperatorRules = {
  words: { refused: '?$#\\' },
  types: TYPES,
  varying: new RegExp(
    String.raw`\b(?:random|setseed|(?:gen_random_)?uuid(?:v\d)?|nextval|currval|getenv|glob|` +
      String.raw`getvariable|query(?:_table)?|\w*_scan|` +
      String.raw`(?:read|sniff|parquet|duckdb|pragma)_\w+)\s*\(`,
    'i',
  ),
  clocks: new RegExp(
    String.raw`\b(?:now|today|age|get_current_\w+|transaction_timestamp)\s*\(|` +
      String.raw`\b(?:current_(?:date|time|timestamp|local\w+)|localtime|localtimestamp)\b|` +
      String.raw`'(?:now|today|tomorrow|yesterday)'`,
    'i',
  ),
};

export async function describeComputed(
  columns: readonly Introspection.AskedColumn[],
  ask: Ask,
): Promise<Introspection.DescribedColumn[]> {
  const described: Introspection.DescribedColumn[] = [];
  for (const column of columns) described.push(await describeOne(column, ask));
  return described;
}

async function describeOne(
  asked: Introspection.AskedColumn,
  ask: Ask,
): Promise<Introspection.DescribedColumn> {
  const { relation, selection, sql, type = 'other', isOfRow } = asked;
  const refused = Texts.refusedColumn(asked, RULES) ?? collated(sql);
  if (refused !== undefined) return refused;
  const rows = selection === undefined ? relation.map(quoted).join('.') : `(${selection.sql})`;
  // No aggregate is part of a condition.
  const fits = await columnsOf(`select 1 from ${rows} as "t" where (${sql}\n) is not null`, ask);
  if ('problem' in fits) return fits;
  const found = await columnsOf(`select (${sql}\n) as "x" from ${rows} as "t"`, ask);
  if ('problem' in found) return found;
  const [, actualType = ''] = found.columns[0] ?? [];
  const actual = factsOf('x', actualType).type;
  if (actual !== type && WIDER[actual]?.includes(type) !== true) return otherType(actual, type);
  const databaseType = typeOf({ type, databaseType: actualType });
  const { name: _, ...facts } = factsOf('x', databaseType);
  const cast = actual === type ? '' : `::${databaseType}`;
  return { ...facts, type, computed: { sql: `(${sql}\n)${cast}`, isOfRow } };
}

export async function describeSelection(
  selection: Introspection.AskedSelection,
  ask: Ask,
): Promise<Introspection.DescribedSelection> {
  const { sql } = selection;
  const refused = Texts.refusedSelection(selection, RULES) ?? collated(sql);
  if (refused !== undefined) return refused;
  const found = await columnsOf(`${sql}\n`, ask);
  if ('problem' in found) return found;
  const columns = found.columns.map(([name, type]) => {
    return { ...factsOf(name, type), nullable: true, description: null };
  });
  return { sql: `${sql}\n`, columns };
}

function collated(sql: string): Refused | undefined {
  if (!/\bcollate\b/i.test(Texts.plainSql(sql, RULES.words))) return undefined;
  const problem = 'It has a collation, by which its texts would be compared.';
  return { problem, remedy: 'Leave the collation out.' };
}

/** @param sql a statement that is described, and not run */
async function columnsOf(
  sql: string,
  ask: Ask,
): Promise<{ readonly columns: readonly (readonly [name: string, type: string])[] } | Refused> {
  try {
    const rows = await ask(`select column_name, column_type from (describe ${sql})`);
    return { columns: rows.map(([name, type]) => [String(name), String(type)]) };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const problem = `${error.message.replace(/^DuckDB: /, 'DuckDB says: ')}.`;
    const remedy = 'Correct it. Of an attribute, the row is `t`: `t.price`, or `price`.';
    return { problem, remedy };
  }
}

function otherType(actual: WireType, type: WireType): Refused {
  return {
    problem: `DuckDB computes values of type ${actual}, not ${type}.`,
    remedy: `Write "type: ${actual}", or cast it in the expression.`,
  };
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

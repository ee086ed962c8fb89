import type { Dialect, Expression, Field } from '@proj/engine/database';
import { sql } from 'kysely';

import { hasOnlyCharacters } from './encodings.ts';
import { isInexact } from './text-comparison.ts';

type Held = Parameters<Dialect['holds']>[1];

/** An index of type GIN serves the array's own operator; other comparisons go behind it. */
export const holds: Dialect['holds'] = (column, held, field) => {
  if (field.type === 'json') return jsonHolds(column, held, field);
  const { items = 'other', databaseType } = field;
  const type = elementType(databaseType);
  const wanted = held.values.map(String);
  const all = held.all;
  const compared = (array: Expression, as: string, collate = sql``): Expression =>
    sql`${array}::${sql.raw(as)}[]${collate} ${operator(all)} ${wanted}::${sql.raw(as)}[]`;
  const asText = compared(column, 'text', sql` collate "C"`);
  if (items === 'json' && type === 'json')
    return unlessNull(column, overlaps(sql`unnest(${column})`, held, field));
  if (items === 'other' || type === '"char"') return asText;
  if (type === 'money') return compared(column, 'numeric');
  if (items === 'interval' || items === 'inet') return compared(column, items);
  // A label that the type does not have would be an error.
  if (items === 'enum') {
    const labels = sql`array(
        select e from unnest(enum_range(null::${sql.raw(type)})) as e where e::text = any(${wanted})
      )`;
    return sql`${column}::${sql.raw(type)}[] ${operator(all)} ${labels} and ${asText}`;
  }
  const own = compared(column, type);
  if (type === 'real') return sql`${own} and ${compared(sql`${column}::text[]`, 'float8')}`;
  return isInexact({ databaseType: databaseType.replace('[]', '') })
    ? sql`${own} and ${asText}`
    : own;
};

/** By its schema, as `intarray` has others, which refuse NULL among the elements. */
function operator(all: boolean): Expression {
  return sql.raw(`operator(pg_catalog.${all ? '@>' : '&&'})`);
}

/** Without what would cut a value: `numeric` for `numeric(10,2)[]`. */
function elementType(databaseType: string): string {
  if (databaseType === 'int2vector') return 'smallint';
  const type = databaseType.replace(/ collate .*$/, '').replace(/\[\]$/, '');
  return type.includes('"') ? type : type.replace(/\(.*?\)/, '');
}

const RANGES: Readonly<Record<string, number>> = { smallint: 15, integer: 31 };

/** Whether an element of the array can have the value: otherwise its cast would fail. */
export function canBeElement(value: string, { type, items, databaseType }: Field): boolean {
  if (type !== 'array') return true;
  const bits = RANGES[elementType(databaseType)];
  if (bits !== undefined && items === 'int32')
    return BigInt.asIntN(bits + 1, BigInt(value)) === BigInt(value);
  if (databaseType !== 'real[]' || !Number.isFinite(Number(value))) return true;
  const single = Math.fround(Number(value));
  return Number.isFinite(single) && (single !== 0 || Number(value) === 0);
}

function jsonHolds(column: Expression, held: Held, field: Field): Expression {
  const { values, all } = held;
  if (field.databaseType !== 'jsonb') {
    const isArray = sql`json_typeof(${column}) = 'array'`;
    const items = sql`json_array_elements(case when ${isArray} then ${column} end)`;
    return unlessNull(column, overlaps(items, held, field));
  }
  const arrays = all ? [values] : values.map((value) => [value]);
  const contained = arrays.map((array) => sql`${column} @> ${`[${array.join()}]`}::jsonb`);
  return sql`(${sql.join(contained, sql` or `)})`;
}

function unlessNull(column: Expression, condition: Expression): Expression {
  return sql`case when ${column} is not null then ${condition} end`;
}

/** Compares by value, which `json` itself does not. */
function overlaps(items: Expression, { values, all }: Held, field: Field): Expression {
  const comparable = sql`array(
      select case when ${isComparable('e.v', field)} then e.v::jsonb end from ${items} as e (v)
    )`;
  return sql`${comparable} ${operator(all)} ${values.map(String)}::jsonb[]`;
}

const ENDLESS = '[eE][+-]?0*[1-9][0-9]{4}';
const MOST_DIGITS = 100_000;

/** What is no `jsonb`, and never equals a value of a filter, is an error elsewhere. */
function isComparable(value: string, { encoding }: Field): Expression {
  const text = `${value}::text`;
  return sql.raw(`case json_typeof(${value})
      when 'string' then ${hasOnlyCharacters(value, encoding)}
      when 'number' then ${text} !~ '${ENDLESS}' and length(${text}) < ${MOST_DIGITS}
      else json_typeof(${value}) = 'boolean'
    end`);
}

import type { WireType } from '@proj/contract';
import {
  DummyDriver,
  Kysely,
  type RawBuilder,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';

import type { Field } from '../../catalogue/field.ts';
import type { FilterValue } from '../../catalogue/filter-value.ts';
import type { Dialect, TextMatch } from '../../sql/dialect.ts';
import { LIMIT, OFFSET } from '../../sql/statement.ts';
import { comparedForm } from './date-form.ts';
import { comparedDate, dateForm, isDate, type StoredDate } from './dates.ts';
import { SQL_FUNCTIONS } from './functions.ts';

type Expression = RawBuilder<unknown>;

/**
 * SQLite's answers. Values are encoded by what they are, not by what the column declares: SQLite
 * stores any type in any column.
 */
export const sqliteDialect: Dialect = {
  kysely: new Kysely({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  }),

  rows(fields, { from, where, order, reversed, maxBytes }) {
    const columns = fields.map(
      ({ column }, index) => sql`${sql.id('t', column)} as ${alias(index)}`,
    );
    const members = fields.map(
      (field, index) => sql`${sql.lit(field.name)}, ${encode(field, alias(index))}`,
    );
    const object = sql`json_object(${sql.join(members)})`;
    const page = sql`select ${sql.join(columns)} from ${from}${where} order by ${order} limit ${LIMIT} offset ${OFFSET}`;
    const source = reversed
      ? sql`select *, row_number() over () as ${sql.id('n')} from (${page})`
      : page;
    const backwards = reversed ? sql` order by ${sql.id('n')} desc` : sql``;
    const [json, count] = [sql.id('json'), sql.id('rows')];
    const built = sql`select json_group_array(${object}${backwards}) as ${json}, count(*) as ${count} from (${source})`;
    return sql`select case when octet_length(${json}) <= ${sql.lit(maxBytes)} then ${json} end, ${count} from (${built})`;
  },

  provesShortPages: true,

  orderTerm(column, { direction, nulls, nullable, collation }) {
    const collate = collation === undefined ? sql`` : sql` collate ${sql.raw(collation)}`;
    // An index serves no order that says where NULL goes, even where there is none.
    const place = nullable ? sql` nulls ${sql.raw(nulls)}` : sql``;
    return sql`${column}${collate} ${sql.raw(direction)}${place}`;
  },

  comparable: (column, { type, storedAs }) =>
    storedAs === undefined ? column : comparedDate(column, { type, storedAs }),

  operand(value, { type, storedAs }) {
    if (storedAs !== undefined)
      return sql`${comparedForm(String(value), dateForm(type), storedAs)}`;
    return OPERANDS[type]?.(value) ?? sql`${value}`;
  },

  textMatches(column, { value, at, ignoreCase }) {
    const [text, part] = ignoreCase
      ? [call('fold', column), call('fold', sql`${value}`)]
      : [column, sql`${value}`];
    return TEXT_MATCHES[at](text, part);
  },

  keys: {
    // A value keeps its storage class on the way out and back, whatever the column declares.
    column: (column) => column,
    operand: (placeholder) => sql`${placeholder}`,
    select: ({ numbered, width, step }) => {
      const keys = Array.from({ length: width }, (_, index) => sql.id(`k${index}`));
      return sql`select ${sql.join(keys)} from (${numbered}) where ${sql.id('n')} % ${step} = 0 order by ${sql.id('n')}`;
    },
  },

  textIsOneOf: (column, values) => sql`${column} collate binary in (${sql.join(values)})`,
};

/** How a checked value is bound. Node binds a number as a real, and a bigint as an integer. */
const OPERANDS: Partial<Record<WireType, (value: FilterValue) => Expression>> = {
  int32: wholeOrReal,
  int64: wholeOrReal,
  decimal: (value) =>
    String(value).endsWith('Infinity') ? sql`${Number(value)}` : sql`cast(${value} as numeric)`,
  // Bound as it is, NaN would be NULL; a text stands after every number, as NaN does elsewhere.
  float64: (value) => sql`${Number.isNaN(value) ? 'NaN' : value}`,
  boolean: (value) => sql`${Number(value)}`,
  bytes: (value) => sql`${Buffer.from(String(value), 'base64')}`,
};

function wholeOrReal(value: FilterValue): Expression {
  return sql`${typeof value === 'number' ? value : BigInt(value)}`;
}

/** LIKE would ignore the case of ASCII letters, and only of these. */
const TEXT_MATCHES: Record<TextMatch['at'], (text: Expression, part: Expression) => Expression> = {
  start: (text, part) => endIs(text, sql`substr(${bytes(text)}, 1, length(${bytes(part)}))`, part),
  end: (text, part) =>
    endIs(
      text,
      sql`substr(${bytes(text)}, length(${bytes(text)}) - length(${bytes(part)}) + 1)`,
      part,
    ),
  anywhere: (text, part) => sql`instr(${text}, ${part}) > 0`,
};

/** Of an empty blob substr() gives NULL. */
function endIs(text: Expression, end: Expression, part: Expression): Expression {
  return sql`case ${text} when '' then ${part} = '' else ${end} = ${bytes(part)} end`;
}

/** For length() a text ends with its first NUL. */
function bytes(text: Expression): Expression {
  return sql`cast(${text} as blob)`;
}

function alias(index: number): Expression {
  return sql.id(`c${index}`);
}

function encode({ type, storedAs }: Field, value: Expression): Expression {
  if (storedAs !== undefined) return encodeDate(value, { type, storedAs });
  return ENCODERS[type]?.(value) ?? textForm(value);
}

/** The text of a value; where a value does not fit the attribute's type, this is what travels. */
function textForm(value: Expression): Expression {
  return sql`case typeof(${value}) when 'text' then ${value} when 'integer' then cast(${value} as text) when 'real' then ${call('decimal', value)} when 'blob' then ${call('base64', value)} end`;
}

/** A value that is no date travels as its text. */
function encodeDate(value: Expression, { type, storedAs }: StoredDate): Expression {
  const date = comparedDate(value, { type, storedAs });
  const zone = type === 'timestamp_tz' ? sql` || 'Z'` : sql``;
  return sql`case when ${isDate(date)} then ${date}${zone} else ${textForm(value)} end`;
}

const ENCODERS: Partial<Record<WireType, (value: Expression) => Expression>> = {
  int32: number,
  float64: number,
  boolean: (value) =>
    sql`case ${value} when 0 then json('false') when 1 then json('true') else ${textForm(value)} end`,
  bytes: (value) =>
    sql`case when ${value} is not null then ${call('base64', sql`cast(${value} as blob)`)} end`,
  json: (value) =>
    sql`case when typeof(${value}) = 'text' and json_valid(${value}) then json(${value}) when typeof(${value}) = 'integer' then json(cast(${value} as text)) when typeof(${value}) = 'real' then json(${call('number', value)}) else ${textForm(value)} end`,
};

/** A JSON number, unless it would lose digits: then the text form. */
function number(value: Expression): Expression {
  return sql`case when typeof(${value}) = 'real' then json(${call('number', value)}) when typeof(${value}) = 'integer' and ${value} between -9007199254740991 and 9007199254740991 then ${value} else ${textForm(value)} end`;
}

function call(name: keyof typeof SQL_FUNCTIONS, value: Expression): Expression {
  return sql`${sql.raw(SQL_FUNCTIONS[name].sqlName)}(${value})`;
}

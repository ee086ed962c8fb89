import { type Field, sqlBlock, type WireType } from '@proj/engine/database';
import { type RawBuilder, sql } from 'kysely';

type Expression = RawBuilder<unknown>;
type Encoder = (value: Expression) => Expression;

/** What is encoded: a column, or the element of an array. */
type Encoded = Pick<Field, 'type' | 'items' | 'databaseType'>;

/** The JSON text of a value, as SQL; NULL for NULL. */
export function encode(value: Expression, { type, items, databaseType }: Encoded): Expression {
  if (type === 'array') return encodeArray(value, items ?? 'other', databaseType);
  if (type === 'float64' && databaseType === 'real') return float32(value);
  if (databaseType === 'money') return textual(sql`${value}::numeric`);
  // The cast to text, unlike the type's own text, writes the mask of a single address too.
  if (databaseType === 'inet') return json(value);
  return (ENCODERS[type] ?? textual)(value);
}

/**
 * The double that a single-precision number is read as: that of its own few digits, not of its
 * bits.
 */
export function asDouble(value: Expression): Expression {
  return sql`${value}::text::float8`;
}

/** Escapes as JavaScript does. */
const textual: Encoder = (value) => sql`to_json(${value}::text)::text`;

/**
 * As PostgreSQL writes the type, with dates in ISO 8601 whatever the session's DateStyle. Should
 * the column have become a text since the catalogue was read, the reply is still JSON.
 */
const json: Encoder = (value) => sql`to_json(${value})::text`;

const ENCODERS: Partial<Record<WireType, Encoder>> = {
  int32: json,
  int64: textual,
  decimal: textual,
  float64,
  boolean: json,
  uuid: textual,
  date: json,
  time: json,
  timestamp: json,
  timestamp_tz: timestampTz,
  bytes: (value) => sql`'"' || replace(encode(${value}, 'base64'), chr(10), '') || '"'`,
  json,
};

/**
 * The shortest digits that read back to the same value, in the form that JavaScript gives them: an
 * exponent from 1e21 on and below 1e-6, where PostgreSQL begins at 1e15 and below 1e-4. The digits
 * are JavaScript's too, but for some values between 2^54 and 1e23: there a decimal half-way between
 * two doubles is the shorter one, which JavaScript takes and PostgreSQL does not
 * (9.999999999999999e+22).
 */
function float64(value: Expression): Expression {
  const size = sql`abs(${value})`;
  return sqlBlock`
    case
      when ${size} >= 1e-4 and ${size} < 1e15 or ${value} = 0 then ${value}::text
      when ${size} < 1e-6 then replace(${value}::text, 'e-0', 'e-')
      when ${size} < 1e21 then ${value}::text::numeric::text
      else to_json(${value})::text
    end`;
}

/**
 * The digits of the single itself, in the same form; PostgreSQL would begin with exponents at 1e6.
 */
function float32(value: Expression): Expression {
  const size = sql`abs(${asDouble(value)})`;
  return sqlBlock`
    case
      when ${value} = 0 then ${value}::text
      when ${size} < 1e-6 then replace(${value}::text, 'e-0', 'e-')
      when ${size} < 1e21 then ${value}::text::numeric::text
      else to_json(${value})::text
    end`;
}

/**
 * In UTC whatever the session's zone; years before the common era keep PostgreSQL's ` BC` at the
 * end.
 */
function timestampTz(value: Expression): Expression {
  const local = sql`rtrim(to_json(${value} at time zone 'UTC')::text, '"')`;
  return sqlBlock`
    case
      when isfinite(${value}) then replace(${local} || 'Z"', ' BCZ"', 'Z BC"')
      else to_json(${value})::text
    end`;
}

/** Elements that PostgreSQL itself writes as they travel, or whose text it does. */
const ARRAYS: Partial<Record<WireType, Encoder>> = {
  int32: json,
  boolean: json,
  uuid: json,
  date: json,
  time: json,
  timestamp: json,
  json,
};

function encodeArray(value: Expression, items: WireType, databaseType: string): Expression {
  if (items === 'float64' || items === 'timestamp_tz') {
    const item = { type: items, items: undefined, databaseType: databaseType.replaceAll('[]', '') };
    return nested(value, (element) => encode(element, item));
  }
  if (databaseType === 'money[]') return sql`to_json(${value}::numeric[]::text[])::text`;
  if (databaseType === 'inet[]') return json(value);
  return ARRAYS[items]?.(value) ?? sql`to_json(${value}::text[])::text`;
}

/**
 * An array with each element encoded, nested as it is: before an element come as many brackets as
 * there are dimensions of which it opens a block, and after it as many as it closes.
 */
function nested(value: Expression, encodeElement: Encoder): Expression {
  const length = (dimension: number): Expression =>
    sql`array_length(${value}, ${sql.lit(dimension)})`;
  const blocks = [sql`cardinality(${value})`];
  for (let dimension = 1; dimension < MOST_DIMENSIONS; dimension++)
    blocks.push(sql`${blocks.at(-1)} / ${length(dimension)}`);
  const sizes = sql`unnest((array[${sql.join(blocks)}])[1:array_ndims(${value})]) as s (size)`;
  const opened = sql`select count(*) from ${sizes} where (e.place - 1) % s.size = 0`;
  const closed = sql`select count(*) from ${sizes} where e.place % s.size = 0`;
  const opening = sql`repeat('[', (${opened})::int)`;
  const closing = sql`repeat(']', (${closed})::int)`;
  const element = sql`${opening} || coalesce(${encodeElement(sql`e.value`)}, 'null') || ${closing}`;
  const elements = sqlBlock`
    select string_agg(${element}, ',' order by e.place)
    from unnest(${value}) with ordinality as e (value, place)`;
  return sql`case when ${value} is not null then coalesce((${elements}), '[]') end`;
}

/** PostgreSQL's own limit. */
const MOST_DIMENSIONS = 6;

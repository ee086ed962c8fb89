import { type Expression, type Field, sqlBlock, type WireType } from '@proj/engine/database';
import { sql } from 'kysely';

import { inZone, offsetText } from './zones.ts';

type Encoder = (value: Expression) => Expression;

type Encoded = Pick<Field, 'type' | 'items' | 'databaseType' | 'zone'>;

/** SQL: the JSON text of a value; NULL for NULL. */
export function encode(value: Expression, field: Encoded): Expression {
  const { type, items, databaseType, zone } = field;
  if (zone !== undefined) return hourOf(value, zone);
  if (type === 'array') return encodeArray(value, items ?? 'other', databaseType);
  // The single's own digits, in the same form; PostgreSQL would begin with exponents at 1e6.
  if (type === 'float64' && databaseType === 'real')
    return floating(value, sql`abs(${asDouble(value)})`);
  if (databaseType === 'money') return textual(sql`${value}::numeric`);
  // Unlike the type's own text, the cast writes the mask of a single address, too.
  if (databaseType === 'inet') return json(value);
  return (ENCODERS[type] ?? textual)(value);
}

/** The double of a single's own few digits, not of its bits. */
export function asDouble(value: Expression): Expression {
  return sql`${value}::text::float8`;
}

const textual: Encoder = (value) => sql`to_json(${value}::text)::text`;

/** As PostgreSQL writes the type. Still JSON if the column has become a text meanwhile. */
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
 * The shortest digits that read back, with an exponent as in JavaScript. Some values between 2^54
 * and 1e23 differ: JavaScript takes a shorter decimal half-way between two doubles.
 */
function float64(value: Expression): Expression {
  const size = sql`abs(${value})`;
  return floating(value, size, sql` or ${size} >= 1e-4 and ${size} < 1e15`);
}

function floating(value: Expression, size: Expression, orPlain = sql``): Expression {
  return sqlBlock`
    case
      when ${value} = 0${orPlain} then ${value}::text
      when ${size} < 1e-6 then replace(${value}::text, 'e-0', 'e-')
      when ${size} < 1e21 then ${value}::text::numeric::text
      else to_json(${value})::text
    end`;
}

/** In UTC whatever the session's zone; years before 1 keep PostgreSQL's ` BC`. */
function timestampTz(value: Expression): Expression {
  const local = sql`rtrim(to_json(${value} at time zone 'UTC')::text, '"')`;
  return sqlBlock`
    case
      when isfinite(${value}) then replace(${local} || 'Z"', ' BCZ"', 'Z BC"')
      else to_json(${value})::text
    end`;
}

/** `2024-10-27T02:00:00+01:00` */
function hourOf(value: Expression, zone: string): Expression {
  const local = sql`to_json(date_trunc('hour', ${inZone(value, zone)}))::text`;
  return sqlBlock`
    case
      when isfinite(${value})
        then regexp_replace(${local}, '(?=( BC)?"$)', ${offsetText(value, zone)})
      else to_json(${value})::text
    end`;
}

/** Elements that travel as PostgreSQL writes them or their text. */
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

/** Brackets around an element open and close the dimensions that begin or end there. */
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

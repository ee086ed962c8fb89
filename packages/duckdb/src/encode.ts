import { type Expression, type Field, type WireType } from '@proj/engine/database';
import { sql } from 'kysely';

import { digitsOf, elementOf, membersOf, nameOf, partsOf, typeOf, wireTypeOf } from './types.ts';
import { inZone, offsetText } from './zones.ts';

type Encoder = (value: Expression) => Expression;

/** SQL: the JSON text of a value; NULL for NULL. */
export function encode(value: Expression, field: Field): Expression {
  if (field.zone !== undefined) return zonedText(value, field.zone);
  if (field.aggregate !== undefined) return quoted(printed(value, field));
  return encodeType(value, typeOf(field));
}

/** `2024-10-27T02:00:00+01:00` */
function zonedText(value: Expression, zone: string): Expression {
  const hour = sql`dynamic_query_moment(date_trunc('hour', ${inZone(value, zone)})::varchar)`;
  const text = sql`regexp_replace(${hour}, '( BC)?$', ${offsetText(value, zone)} || '\\1')`;
  return quoted(sql`case when isfinite(${value}) then ${text} else ${value}::varchar end`);
}

/** A scaled sum or average, with as many digits as its attribute has at least. */
export function printed(value: Expression, { databaseType }: Field): Expression {
  return sql`dynamic_query_print(${value}, ${sql.lit(digitsOf(databaseType)?.scale ?? 0)})`;
}

const textual: Encoder = (value) => sql`dynamic_query_text(to_json(${value}::varchar)::varchar)`;
const plain: Encoder = (value) => sql`${value}::varchar`;
const quoted: Encoder = (value) => sql`'"' || ${value}::varchar || '"'`;
const moment: Encoder = (value) => quoted(sql`dynamic_query_moment(${value}::varchar)`);

/** All others are texts. */
const ENCODERS: Partial<Record<WireType, Encoder>> = {
  int32: plain,
  int64: quoted,
  decimal: quoted,
  float64: (value) => sql`dynamic_query_float(${value})`,
  boolean: plain,
  uuid: quoted,
  date: moment,
  time: quoted,
  timestamp: moment,
  timestamp_tz: (value) => sql`replace(${moment(value)}, '+00', 'Z')`,
  interval: (value) => quoted(sql`dynamic_query_interval(${value}::varchar)`),
  bytes: (value) => quoted(sql`base64(${value})`),
  // DuckDB's own function would rewrite numbers.
  json: (value) => sql`dynamic_query_json(${value}::varchar)`,
};

/** Values within others have the form of their own type. */
function encodeType(value: Expression, type: string): Expression {
  const element = elementOf(type);
  if (element !== undefined) return encodeList(value, element);
  const digits = digitsOf(type);
  // DuckDB writes `.5` where all digits are behind the point.
  if (digits !== undefined && digits.width === digits.scale)
    return sql`regexp_replace(${quoted(value)}, '^("-?)[.]', '\\10.')`;
  const name = nameOf(type);
  // A single has its own few digits.
  if (name === 'FLOAT') return encodeType(sql`${value}::varchar::double`, 'DOUBLE');
  if (name === 'STRUCT' || name === 'UNION') return encodeMembers(value, type, name === 'UNION');
  if (name === 'MAP') return encodeMap(value, type);
  if (name === 'VARIANT') return sql`to_json(${value})::varchar`;
  return (ENCODERS[wireTypeOf(type).type] ?? textual)(value);
}

/** Each level of nesting has a variable of its own. */
let variables = 0;

function encodeList(value: Expression, element: string): Expression {
  const item = sql.id(`v${(variables += 1)}`);
  const texts = sql`list_transform(${value}, lambda ${item}: ${orNull(encodeType(item, element))})`;
  return sql`'[' || array_to_string(${texts}, ',') || ']'`;
}

/** As an object, of a union with the one member that it holds; as a list without names. */
function encodeMembers(value: Expression, type: string, isUnion: boolean): Expression {
  const extract = sql.raw(isUnion ? 'union_extract' : 'struct_extract');
  const found = membersOf(type);
  const isNamed = found[0]?.name !== '';
  const members = found.map(({ name, type: member }, index) => {
    const part = sql`${extract}(${value}, ${sql.lit(isNamed ? name : index + 1)})`;
    const key = sql.lit(isNamed ? `${JSON.stringify(name)}:` : '');
    const text = sql`${key} || ${orNull(encodeType(part, member))}`;
    const isHeld = sql`union_tag(${value})::varchar = ${sql.lit(name)}`;
    return isUnion ? sql`case when ${isHeld} then ${text} end` : text;
  });
  const [open, close] = isNamed ? '{}' : '[]';
  const text = sql`${sql.lit(open)} || concat_ws(',', ${sql.join(members)}) || ${sql.lit(close)}`;
  return sql`case when ${value} is not null then ${text} end`;
}

/** Keys of other types are the texts of their JSON. */
function encodeMap(value: Expression, type: string): Expression {
  const [key = '', held = ''] = partsOf(type);
  const entry = sql.id(`v${(variables += 1)}`);
  const name = key === 'VARCHAR' ? sql`${entry}.key` : encodeType(sql`${entry}.key`, key);
  const shown = orNull(encodeType(sql`${entry}.value`, held));
  const text = sql`to_json(${name})::varchar || ':' || ${shown}`;
  const texts = sql`list_transform(map_entries(${value}), lambda ${entry}: ${text})`;
  return sql`'{' || array_to_string(${texts}, ',') || '}'`;
}

function orNull(text: Expression): Expression {
  return sql`coalesce(${text}, 'null')`;
}

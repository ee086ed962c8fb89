import { type Introspection, Texts, type WireType } from '@proj/engine/database';

import { hasOnlyCharacters } from '../values/encodings.ts';
import { quoted, textLiteral } from '../values/sql-text.ts';

/** Larger ones, and those with more digits, are no `numeric`. */
const NUMERIC = "length(%x) < 5000 and %x !~ '[eE][-+]?0*[1-9][0-9]{4}'";

/** By wire type, of what kind of JSON (`%k`), with the value (`%v`) and its text (`%x`). */
const READS: Partial<Record<WireType, string>> = {
  text: "case when %k = 'string' then %x end",
  boolean: "case when %k = 'boolean' then (%x)::boolean end",
  int32: whole('-2147483648 and 2147483647', 'integer'),
  int64: whole('-9223372036854775808 and 9223372036854775807', 'bigint'),
  decimal: number('(%x)::numeric'),
  float64: number(
    `case when abs((%x)::numeric) < 2.4703282292062328e-324 then 0::float8
      when abs((%x)::numeric) <= 1.7976931348623158e308 then (%x)::float8 end`,
  ),
  uuid: matching(Texts.JSON_TEXTS.uuid, 'uuid'),
  date: matching(Texts.JSON_TEXTS.date, 'date'),
  timestamp: matching(Texts.JSON_TEXTS.timestamp, 'timestamp'),
  timestamp_tz: matching(Texts.JSON_TEXTS.timestamp_tz, 'timestamptz'),
  json: "case when %k <> 'null' then %v end",
};

function number(value: string): string {
  return `case when %k = 'number' then case when ${NUMERIC} then ${value} end end`;
}

function whole(bounds: string, type: string): string {
  const value = '(%x)::numeric';
  return number(
    `case when ${value} between ${bounds} and ${value} = trunc(${value})
      then (${value})::${type} end`,
  );
}

function matching(pattern: string, type: string): string {
  return `case when %k = 'string' then case when %x ~ '${pattern}' then (%x)::${type} end end`;
}

export const jsonPlace: Introspection.JsonPlaceSql = ({ column, path }, declared, type) => {
  const read = READS[type];
  if (read === undefined) return undefined;
  const family = declared.databaseType === 'json' ? 'json' : 'jsonb';
  const stored = `"t".${quoted(column)}`;
  const at = (steps: typeof path) =>
    steps.reduce<string>((json, step) => {
      return `${json} -> ${typeof step === 'number' ? step : textLiteral(step)}`;
    }, stored);
  const value = `(${at(path)})`;
  const parts = { k: `${family}_typeof(${value})`, v: value, x: `(${value} #>> '{}')` };
  const sql = read.replaceAll(/%([kvx])/g, (_, part: 'k' | 'v' | 'x') => parts[part]);
  const guards = [
    ...(family === 'json' ? [hasOnlyCharacters(stored, declared.encoding)] : []),
    // The first item of a single value is itself.
    ...path.flatMap((step, index) =>
      typeof step === 'number' ? [`${family}_typeof(${at(path.slice(0, index))}) = 'array'`] : [],
    ),
  ];
  return guards.reduceRight((inner, guard) => `case when ${guard} then ${inner} end`, sql);
};

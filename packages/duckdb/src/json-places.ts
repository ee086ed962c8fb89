import { type Introspection, Texts, type WireType } from '@proj/engine/database';

import { literal, nameOf, quoted } from './types.ts';

const DOUBLE = 'try_cast(substr(x, 2) as double)';

/** By wire type, of a scalar `x`: a text after `s`, a number after `n`, `true` or `false`. */
const READS: Partial<Record<WireType, string>> = {
  text: text('substr(x, 2)'),
  boolean: "case when x in ('true', 'false') then x::boolean end",
  int32: number('int'),
  int64: number('bigint'),
  decimal: number('decimal(38, 18)', 18),
  float64: `case when starts_with(x, 'n') and isfinite(${DOUBLE}) then ${DOUBLE} end`,
  uuid: matching(Texts.JSON_TEXTS.uuid, 'uuid'),
  date: matching(Texts.JSON_TEXTS.date, 'date'),
  timestamp: matching(Texts.JSON_TEXTS.timestamp, 'timestamp'),
  timestamp_tz: matching(Texts.JSON_TEXTS.timestamp_tz, 'timestamptz'),
};

function text(value: string): string {
  return `case when starts_with(x, 's') then ${value} end`;
}

function number(type: string, scale = 0): string {
  const exact = `dynamic_query_exact(substr(x, 2), ${scale})`;
  return `case when starts_with(x, 'n') then try_cast(${exact} as ${type}) end`;
}

/** DuckDB's patterns do not look ahead, and it has a year 0. */
function matching(pattern: string, type: string): string {
  const plain = literal(pattern.replaceAll(/\(\?!.*?\)|\^/g, ''));
  const fits = `not starts_with(x, 's0000') and regexp_full_match(substr(x, 2), ${plain})`;
  return text(`case when ${fits} then try_cast(substr(x, 2) as ${type}) end`);
}

export const jsonPlace: Introspection.JsonPlaceSql = ({ column, path }, { databaseType }, type) => {
  const read = READS[type];
  if ((read === undefined && type !== 'json') || nameOf(databaseType) !== 'JSON') return undefined;
  // https://datatracker.ietf.org/doc/html/rfc6901
  const steps = path.map((step) =>
    typeof step === 'number' ? step : `s${step.replaceAll('~', '~0').replaceAll('/', '~1')}`,
  );
  const at = literal(`/${steps.join('/')}`);
  const place = `json_extract(dynamic_query_tagged("t".${quoted(column)}::varchar), ${at})`;
  return read === undefined
    ? `dynamic_query_untagged(nullif(${place}, 'null'))::json`
    : `list_transform([${place} ->> '$'], lambda x: ${read})[1]`;
};

import type { Introspection, WireType } from '@proj/engine/database';

import { UUID } from '../values/wire-types.ts';
import { quoted } from './select.ts';

const TEXT = "%k = 'text'";

const DAY = "%x glob '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*' and %x >= '0001'";

/** Up to fifteen are kept by a floating point number. */
const DIGITS = "length(ltrim(replace(replace(%v, '-', ''), '.', ''), '0')) <= 15";

/** Of what kind of JSON (`%k`), with the value (`%x`) and its JSON (`%v`). All else is a double. */
const READS: Partial<Record<WireType, string>> = {
  text: `case when ${TEXT} then %x end`,
  boolean: "case when %k in ('true', 'false') then %x end",
  int32: whole('-2147483648 and 2147483647'),
  int64: whole('-9007199254740992 and 9007199254740992'),
  decimal: `case when %k in ('integer', 'real') then case
    when typeof(%x) = 'integer' then %x
    when ${DIGITS} and (%v not glob '*[eE]*' or abs(%x) between 1e-300 and 1e300)
      or %v in (printf('%!.17g', %x), printf('%!.16g', %x))
    then %x end end`,
  float64: `case when %k in ('integer', 'real')
    and %x between -1.7976931348623157e308 and 1.7976931348623157e308 then cast(%x as real) end`,
  uuid: `case when ${TEXT} and %x glob '${UUID}' then lower(%x) collate nocase end`,
  date: `case when ${TEXT} and ${DAY} and date(%x) = %x then %x end`,
  timestamp: moment('%x'),
  timestamp_tz: `case
    when %x glob '*Z' then ${moment('substr(%x, 1, length(%x) - 1)')}
    when substr(%x, -6) glob '[-+]0[0-9]:[0-5][0-9]' or substr(%x, -6) glob '[-+]1[0-5]:[0-5][0-9]'
    then ${moment('substr(%x, 1, length(%x) - 6)')} end`,
  json: "case when %k <> 'null' then %v end",
};

function whole(bounds: string): string {
  const exact = bounds.startsWith('-9') ? "typeof(%x) = 'integer' or " : '';
  return `case when %k in ('integer', 'real') and (${exact}%x between ${bounds})
    and %x = cast(%x as integer) then cast(%x as integer) end`;
}

/** @param local the text without a zone */
function moment(local: string): string {
  const seconds = `substr(${local}, 1, 19)`;
  const fraction = `substr(${local}, 20)`;
  return `case when ${TEXT} and ${DAY} and datetime(${seconds}) = replace(${seconds}, 'T', ' ')
    and substr(${seconds}, 12, 2) < '24' and (${fraction} = '' or ${fraction} glob '.[0-9]*'
      and substr(${fraction}, 2) not glob '*[^0-9]*' and length(${fraction}) <= 7)
    then %x end`;
}

export const jsonPlace: Introspection.JsonPlaceSql = ({ column, path }, _, type) => {
  const read = READS[type];
  if (read === undefined) return undefined;
  const stored = `"t".${quoted(column)}`;
  const steps = path.map((step) =>
    typeof step === 'number' ? `[${step}]` : `.${JSON.stringify(step)}`,
  );
  const at = `'$${steps.join('').replaceAll("'", "''")}'`;
  const parts = {
    k: `json_type(${stored}, ${at})`,
    v: `(${stored} -> ${at})`,
    x: `json_extract(${stored}, ${at})`,
  };
  const sql = read.replaceAll(/%([kvx])/g, (__, part: 'k' | 'v' | 'x') => parts[part]);
  return `case when json_valid(${stored}) then ${sql} end`;
};

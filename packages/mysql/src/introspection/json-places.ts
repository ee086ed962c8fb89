import { type Introspection, Texts, type WireType } from '@proj/engine/database';

const NUMBERS = "('INTEGER', 'UNSIGNED INTEGER', 'DOUBLE', 'DECIMAL')";
const STRINGS = "('STRING', 'DATE', 'DATETIME')";

/** What a `decimal(65, 30)` holds without losing a digit. */
const DECIMAL = [
  '[0-9]{1,35}([.][0-9]{1,30})?',
  '[0-9]{1,15}([.][0-9]{1,17})?[eE]([+]?0*1?[0-9]|-0*([0-9]|1[0-3]))',
].join('|');

const EXACT = 'cast(%x as decimal(65, 30))';

/** By wire type, of what kind of JSON (`%k`), with the value (`%v`) and its text (`%x`). */
const READS: Partial<Record<WireType, string>> = {
  text: `case when %k in ${STRINGS} then %x end`,
  boolean: "case when %k = 'BOOLEAN' then %x = 'true' end",
  int32: whole('-2147483648 and 2147483647'),
  int64: whole('-9223372036854775808 and 9223372036854775807'),
  decimal: exact(EXACT),
  float64: `case when %k in ${NUMBERS} then
    case when abs(%x + 0e0) < 1.797693134862315e308 then %x + 0e0 end end`,
  uuid: matching('uuid', 'lower(%x) collate utf8mb4_general_ci'),
  date: matching('date', 'cast(%x as date)'),
  timestamp: matching('timestamp', 'cast(%x as datetime(6))'),
  // `convert_tz` leaves what is outside of some years as it is.
  timestamp_tz: matching(
    'timestamp_tz',
    `case when right(%x, 1) = 'Z' then cast(left(%x, char_length(%x) - 1) as datetime(6))
    else cast(left(%x, char_length(%x) - 6) as datetime(6)) - interval
      if(substr(%x, -6, 1) = '-', -1, 1) * (substr(%x, -5, 2) * 60 + right(%x, 2)) minute end`,
  ),
  json: "case when %k <> 'NULL' then %v end",
};

function exact(value: string): string {
  return `case when %k in ${NUMBERS} then
    case when %x regexp '^-?(${DECIMAL})$' then ${value} end end`;
}

function whole(bounds: string): string {
  return exact(
    `case when ${EXACT} between ${bounds} and ${EXACT} = truncate(${EXACT}, 0)
    then cast(${EXACT} as signed) end`,
  );
}

function matching(type: keyof typeof Texts.JSON_TEXTS, value: string): string {
  return `case when %k in ${STRINGS} then
    case when %x regexp '${Texts.JSON_TEXTS[type]}' then ${value} end end`;
}

export const jsonPlace: Introspection.JsonPlaceSql = ({ column, path }, { databaseType }, type) => {
  const read = READS[type];
  if (read === undefined) return undefined;
  const stored = `\`t\`.\`${column.replaceAll('`', '``')}\``;
  const extract = databaseType === 'json' ? extractSql : extractSpelled;
  const at = (steps: Path) => extract(stored, steps);
  const value = at(path);
  const parts = { k: `json_type(${value})`, v: value, x: `json_unquote(${value})` };
  const sql = read.replaceAll(/%([kvx])/g, (__, part: 'k' | 'v' | 'x') => parts[part]);
  // The first item of what is no array is itself.
  const arrays = path.flatMap((step, index) =>
    typeof step === 'number' ? [`json_type(${at(path.slice(0, index))}) = 'ARRAY'`] : [],
  );
  return arrays.length === 0 ? sql : `case when ${arrays.join(' and ')} then ${sql} end`;
};

type Path = readonly (string | number)[];

function extractSql(json: string, path: Path): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${member(step)}`));
  return `json_extract(${json}, ${text(`$${steps.join('')}`)})`;
}

/** MariaDB finds a member only where the JSON spells its name as the path does. */
function extractSpelled(json: string, path: Path): string {
  const found = extractSql(json, path);
  const respelled = path.reduce<string>((sql, step) => {
    if (typeof step === 'number' || step.search(ESCAPED) === -1) return sql;
    const spelling = member(step).replaceAll('\\', '\\\\');
    return `regexp_replace(${sql}, ${text(anySpelling(step))}, ${text(spelling)})`;
  }, json);
  return respelled === json ? found : `coalesce(${found}, ${extractSql(respelled, path)})`;
}

/** What JSON may have as an escape, and a hyphen, with which no name in a path begins. */
const ESCAPED = /^-|[^\w-]/gu;

function member(name: string): string {
  return JSON.stringify(name).replace(/^"-/, String.raw`"\u002d`);
}

function anySpelling(name: string): string {
  const pattern = name.replaceAll(ESCAPED, (character) => {
    const plain = JSON.stringify(character).slice(1, -1);
    const digits = Buffer.from(character, 'utf16le').swap16().toString('hex');
    const units = digits.replaceAll(/.{4}/g, String.raw`\\u(?i:$&)`);
    return String.raw`(?:${plain === '/' ? String.raw`\\?` : ''}\Q${plain}\E|${units})`;
  });
  return String.raw`(?-i)(?<!\\)"${pattern}"(?=\s*:)`;
}

/** As hexadecimal digits: what a backslash means is the server's setting. */
function text(value: string): string {
  return `convert(x'${Buffer.from(value).toString('hex')}' using utf8mb4)`;
}

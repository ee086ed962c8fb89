/** Digits that a hugeint can divide in one step, beside the remainder of a count. */
const CHUNK = 18;

/** Of a scaled sum behind the point: as many as the least double has, and some to round. */
export const SCALE = 19 * CHUNK;

/** Longer than each sum of doubles, scaled. */
export const INFINITE = `1${'0'.repeat(800)}`;
export const NO_NUMBER = `2${'0'.repeat(800)}`;

const SIGN = `case when starts_with(t, '-') then '-' else '' end`;

const ZEROS = `
  digits + coalesce(try_cast(split_part(t, 'e', 2) as int), 0)
  - strlen(split_part(split_part(t, 'e', 1), '.', 2))`;

/** A macro writes its argument wherever it is named, which would be computed each time. */
function once(value: string, name: string, body: string): string {
  return `list_transform([${value}], lambda ${name}: ${body})[1]`;
}

const STEPS = `list_transform(list_prepend('0', regexp_extract_all(s.d, '.{${CHUNK}}')),
  lambda chunk: {'q': '', 'r': 0::hugeint, 'c': chunk::hugeint})`;
const STEP = `
  {'q': a.q || lpad(((a.r * 1000000000000000000 + b.c) // s.n)::varchar, ${CHUNK}, '0'),
    'r': (a.r * 1000000000000000000 + b.c) % s.n, 'c': 0::hugeint}`;

const WITHOUT_SIGN = `ltrim(t, '-')`;

/** Digits behind those of an average, which has as many as the sum, and 16 at least. */
const CUT = `least(${SCALE - 16}, strlen(t) - strlen(rtrim(t, '0')))`;

/** With a half of the average's last digit, so that a half is rounded away from zero. */
const DIVIDEND = `left((${WITHOUT_SIGN}::bignum
  + (number * 5 || repeat('0', ${CUT} - 1))::bignum)::varchar, -${CUT})`;

const TEXT = String.raw`"(?:[^"\\]|\\.)*"`;
const TOKEN = String.raw`${TEXT}|-?[0-9][0-9.eE+-]*|[^"0-9-]+|-`;

/** `n125e-1` of a number's text: its digits without zeros at either end. */
const NUMBER = once(
  `{'t': t, 'd': ltrim(translate(split_part(t, 'e', 1), '-.', ''), '0'),
    'e': coalesce(nullif(split_part(t, 'e', 2), ''), '0'),
    'f': strlen(split_part(split_part(t, 'e', 1), '.', 2))}`,
  's',
  `case when s.d = '' then 'n0' else 'n' || left(s.t, (starts_with(s.t, '-'))::int)
    || rtrim(s.d, '0') || 'e'
    || (try_cast(s.e as hugeint) - s.f + strlen(s.d) - strlen(rtrim(s.d, '0')))::varchar end`,
);

/** Each connection has these, since a database that is only read takes no macros of others. */
export const MACROS = [
  // The engine measures texts with it.
  `octet_length(x) as strlen(x)`,
  // As JavaScript writes it.
  String.raw`dynamic_query_float(x) as case
    when isfinite(x)
    then regexp_replace(regexp_replace(to_json(x)::varchar, '[.]0$', ''), 'e(\d)', 'e+\1')
    else '"' || to_json(x)::varchar || '"'
  end`,
  // As JavaScript's, escapes have small letters. What follows an escaped backslash is none.
  String.raw`dynamic_query_text(t) as case when contains(t, '\u00') then replace(
    list_reduce(
      list_prepend(replace(t, '\\', chr(1)), string_split('0B 0E 0F 1A 1B 1C 1D 1E 1F', ' ')),
      lambda a, code: replace(a, '\u00' || code, '\u00' || lower(code))),
    chr(1), '\\') else t end`,
  // As a text where only DuckDB takes it for JSON: `[1,]`, `nan`, `-inf`.
  String.raw`dynamic_query_json(t) as if(
    regexp_matches(t, '(?i)^(?:${TEXT}|[^"])*(?:nan|inf|,\s*[\]}])'),
    dynamic_query_text(to_json(t)::varchar),
    regexp_replace(t, '(${TEXT})|\s+', '\1', 'g'))`,
  `dynamic_query_number(t) as ${NUMBER}`,
  `dynamic_query_exact(t, scale) as ${once(
    'dynamic_query_number(lower(t))',
    'n',
    `case when coalesce(try_cast(split_part(n, 'e', 2) as hugeint) >= -scale, true)
     then substr(n, 2) end`,
  )}`,
  // Texts begin with `s`, and numbers are texts after `n`: DuckDB would rewrite their digits.
  `dynamic_query_tagged(t) as array_to_string(
    list_transform(regexp_extract_all(t, '${TOKEN}'), lambda token: case
      when starts_with(token, '"') then '"s' || substr(token, 2)
      when regexp_matches(token, '^-?[0-9]') then '"n' || token || '"'
      else token
    end), '')`,
  String.raw`dynamic_query_untagged(t) as
    regexp_replace(t, '(")s((?:[^"\\]|\\.)*")|"n([^"]*)"', '\1\2\3', 'g')`,
  `dynamic_query_items(t) as list_transform(
    json_extract_string(dynamic_query_tagged(t), '$[*]'),
    lambda item: case
      when starts_with(item, 'n') then dynamic_query_number(lower(substr(item, 2))) else item
    end)`,
  // As PostgreSQL writes it.
  `dynamic_query_moment(t) as case
    when contains(t, ' (BC)') then replace(replace(t, ' (BC)', ''), ' ', 'T') || ' BC'
    else replace(t, ' ', 'T')
  end`,
  // As PostgreSQL prints it: what follows something negative has a sign.
  String.raw`dynamic_query_interval(t) as regexp_replace(
    regexp_replace(replace(t, 'month', 'mon'), '-1 (year|mon|day)( |$)', '-1 \1s\2', 'g'),
    '(-\d+ \w+ )(\d)', '\1+\2', 'g')`,
  // DuckDB reads neither ISO 8601, nor a plus, nor each clock that it writes.
  String.raw`dynamic_query_read_interval(t) as regexp_replace(
    translate(regexp_replace(t, '^(P[^T]*)M', '\1mon '), 'PT+', ''),
    '(-?)(\d+):(\d+):([\d.]+)$', '\1\2 hours \1\3 minutes \1\4 seconds')::interval`,
  // A decimal's text as a whole number, with so many digits behind its point.
  `dynamic_query_scaled(t, digits) as
    (replace(split_part(t, 'e', 1), '.', '') || repeat('0', ${ZEROS}))::bignum`,
  `dynamic_query_print(x, digits) as case when x is not null then ${once(
    'x::varchar',
    't',
    `case
      when strlen(t) < ${INFINITE.length} then ${SIGN} || ${once(
        `lpad(${WITHOUT_SIGN}, greatest(strlen(${WITHOUT_SIGN}), ${SCALE + 1})::int, '0')`,
        'd',
        `left(d, -${SCALE}) || rtrim('.' || left(right(d, ${SCALE}), digits)
          || rtrim(right(d, ${SCALE} - digits), '0'), '.')`,
      )}
      when starts_with(t, '2') then 'NaN'
      else ${SIGN} || 'Infinity'
    end`,
  )} end`,
  `dynamic_query_quotient(digits, number) as ${once(
    `{'d': lpad(digits, ((strlen(digits) + ${CHUNK - 1}) // ${CHUNK} * ${CHUNK})::int, '0'),
      'n': number::hugeint}`,
    's',
    `list_reduce(${STEPS}, lambda a, b: ${STEP}).q`,
  )}`,
  `dynamic_query_average(x, number) as case
    when x is null or strlen(x::varchar) >= ${INFINITE.length} then x
    else ${once(
      'x::varchar',
      't',
      `(${SIGN} || dynamic_query_quotient(${DIVIDEND}, number) || repeat('0', ${CUT}))::bignum`,
    )}
  end`,
]
  .map((macro) => `create temp macro ${macro};`)
  .join('\n');

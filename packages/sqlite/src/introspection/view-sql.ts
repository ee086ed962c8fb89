import { Texts } from '@proj/engine/database';

const COMMENT = /--[^\n]*|\/\*.*?(?:\*\/|$)/;
const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]/;
const WORD = /[a-z_\u0080-\u{10ffff}][\w$\u0080-\u{10ffff}]*/u;

/** What SQLite reads as one: https://sqlite.org/syntax.html */
const TOKENS = new RegExp(
  String.raw`(${COMMENT.source})|(${QUOTED.source})|${WORD.source}|\S`,
  'gisu',
);

/** Compares two values as `=` does, and not whole rows. */
const COMPARISON = / is (?:not )?distinct from /g;

/** The result depends on these beside the rows, such as on the order in which rows are found. */
const REFUSED_PARTS: readonly (readonly [RegExp, string])[] = [
  [/ limit /, 'it cuts off rows'],
  [/ (?:group|having) /, 'it groups rows'],
  [/ distinct /, 'it leaves out rows that are equal'],
  [/ (?:union|except|intersect|values) /, 'it puts several selections together'],
  [
    /(?<! (?:from|join|in|exists|as|materialized)) \( (?:select|with) /,
    'it takes the first row of a subquery',
  ],
];

/** Why rows of a view may differ while its tables and functions do not; undefined if they can't. */
export function refusalOf(sql: string): string | undefined {
  const plain = plainTextOf(sql).replaceAll(COMPARISON, ' = ');
  return REFUSED_PARTS.find(([part]) => part.test(plain))?.[1];
}

/** Random values, and the connection's state. */
const VARYING = /\b(?:random|randomblob|changes|total_changes|last_insert_rowid)\b/i;

export const VARYING_CALLS = new RegExp(String.raw`${VARYING.source}\s*\(`, 'i');

/** Times without an explicit start. */
export const CLOCKS = new RegExp(
  [
    String.raw`\bcurrent_(?:date|time|timestamp)\b`,
    String.raw`'(?:now|subsec(?:ond)?)'`,
    String.raw`\b(?:date|time|datetime|julianday|unixepoch)\s*\(\s*\)`,
    String.raw`\bstrftime\s*\([^(),]*\)`,
  ].join('|'),
  'i',
);

export function variesWithin(sql: string): boolean {
  return VARYING.test(sql) || CLOCKS.test(sql);
}

/** SQLite knows the case of ASCII letters only. */
export function lowered(name: string): string {
  return name.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Spaces around words and signs; a question mark for each quoted one. */
function plainTextOf(sql: string): string {
  return ` ${tokensOf(sql)
    .map((token) => (isQuoted(token) ? '?' : token))
    .join(' ')} `;
}

function tokensOf(sql: string): string[] {
  return [...sql.matchAll(TOKENS)].flatMap(([token, comment, quoted]) =>
    comment === undefined ? (quoted ?? lowered(token)) : [],
  );
}

function isQuoted(token: string): boolean {
  return /^['"`[]./s.test(token);
}

/** The table or view whose rows a view shows, each at most once; undefined where uncertain. */
export function sourceOf(sql: string): string | undefined {
  const tokens = tokensOf(sql);
  const [name, schema] =
    Texts.singleSource(tokens.slice(tokens.indexOf('as') + 1))?.path.toReversed() ?? [];
  return name === undefined || (schema !== undefined && schema !== 'main')
    ? undefined
    : unquoted(name);
}

function unquoted(name: string): string {
  if (!isQuoted(name)) return name;
  const [quote = ''] = name;
  const inner = name.slice(1, -1);
  return quote === '[' ? inner : inner.replaceAll(quote + quote, quote);
}

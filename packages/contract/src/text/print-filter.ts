import { type AnyRecord, type Filter, type FilterLeaf, isFilter } from '../filter.ts';
import type { RequestedRelated } from '../aggregates.ts';
import type { Operator } from '../operators.ts';

/** THE table of operators between an attribute and one value. */
export const INFIX_OPERATORS = {
  eq: '=',
  ne: '!=',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
  contains: 'contains',
  starts_with: 'starts with',
  ends_with: 'ends with',
  ieq: 'ieq',
  icontains: 'icontains',
  istarts_with: 'istarts with',
  iends_with: 'iends with',
  overlaps: 'overlaps',
  has: 'has',
  on: 'on',
  is_distinct: 'is distinct from',
} as const satisfies Partial<Record<Operator, string>>;

/** THE table of operators between an attribute and a list of values. */
export const LIST_OPERATORS = {
  in: 'in',
  not_in: 'not in',
  has_any: 'has any',
  has_all: 'has all',
} as const satisfies Partial<Record<Operator, string>>;

/**
 * The type of what an attribute is compared with, of the filter's model or where `related` names
 * lead from it.
 */
export type TypeOf = (attribute: string, related: readonly string[]) => string;

/** Unquoted, although they travel as JSON strings. */
const UNQUOTED_TYPES: ReadonlySet<string> = new Set(['int32', 'int64', 'decimal', 'float64']);

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Names and paths without backticks; others may have them, so ASCII is enough. */
const PLAIN_NAME = /^(?!(?:and|or|not|some|none)$)[a-z_]\w*(?:\.[a-z_]\w*)*$/i;

/** Behind these words `some` or `none` names an attribute. */
const OPERATOR_WORD = new RegExp(
  `^(?:${['in', 'not', 'between', 'is', ...Object.values(INFIX_OPERATORS)]
    .flatMap((text) => /^[a-z]+/.exec(text) ?? [])
    .join('|')})$`,
  'i',
);

/**
 * In the language of `dq query --filter`: `population >= 1000000 and (country = 'NL' or capital is
 * not null)`.
 */
export function printFilter(filter: Filter, typeOf: TypeOf): string {
  return print(filter, { typeOf, related: [] });
}

/** In the language of `dq query --related`: `last = max orders.placed_at where amount > 10`. */
export function printRelated(
  name: string,
  { related, op, attribute, filter }: RequestedRelated[string],
  typeOf: TypeOf,
): string {
  const path = attribute === undefined ? related : `${related}.${attribute}`;
  const where = filter && ` where ${print(filter, { typeOf, related: [related] })}`;
  return `${printName(name)} = ${op} ${printName(path)}${where ?? ''}`;
}

interface Place {
  readonly typeOf: TypeOf;
  readonly related: readonly string[];
}

function print(filter: Filter, place: Place): string {
  if ('and' in filter) return filter.and.map((part) => printPart(part, place)).join(' and ');
  if ('or' in filter) return filter.or.map((part) => printPart(part, place)).join(' or ');
  if ('not' in filter) return `not ${printPart(filter.not, place)}`;
  if ('some' in filter) return `some ${printQuantified(filter.related, filter.some, place)}`;
  if ('none' in filter) return `none ${printQuantified(filter.related, filter.none, place)}`;
  return printComparison(filter, place.typeOf(filter.attribute, place.related));
}

function printPart(part: Filter, place: Place): string {
  const text = print(part, place);
  return 'and' in part || 'or' in part ? `(${text})` : text;
}

function printQuantified(name: string, filter: Filter | AnyRecord, place: Place): string {
  const written = OPERATOR_WORD.test(name) ? inBackticks(name) : printName(name);
  if (!isFilter(filter)) return written;
  return `${written} (${print(filter, { ...place, related: [...place.related, name] })})`;
}

/** In backticks unless plain. */
export function printName(name: string): string {
  return PLAIN_NAME.test(name) ? name : inBackticks(name);
}

function inBackticks(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}

function printComparison(
  { attribute, op, value, time_zone: zone }: FilterLeaf,
  type: string,
): string {
  const name = printName(attribute);
  const values = [value].flat().map((item) => printValue(item, type));
  switch (op) {
    case 'is_null':
      return `${name} is ${value === false ? 'not null' : 'null'}`;
    case 'between':
      return `${name} between ${values.join(' and ')}`;
    case 'in':
    case 'not_in':
    case 'has_any':
    case 'has_all':
      return `${name} ${LIST_OPERATORS[op]} (${values.join(', ')})`;
    default:
      return [
        `${name} ${INFIX_OPERATORS[op]} ${values.join(', ')}`,
        ...(zone === undefined ? [] : [`at time zone ${inQuotes(zone)}`]),
      ].join(' ');
  }
}

function printValue(value: unknown, type: string): string {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([form, text]) => `${form} ${inQuotes(String(text))}`)
      .join();
  if (typeof value !== 'string') return JSON.stringify(value);
  return UNQUOTED_TYPES.has(type) && NUMBER.test(value) ? value : inQuotes(value);
}

function inQuotes(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

import type { Filter, FilterLeaf } from '../filter.ts';
import type { Operator } from '../operators.ts';

/** THE table of operators that are written between an attribute and one value. */
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
  icontains: 'icontains',
  istarts_with: 'istarts with',
  iends_with: 'iends with',
  is_distinct: 'is distinct from',
} as const satisfies Partial<Record<Operator, string>>;

/** The wire type of an attribute, by its name. */
export type TypeOf = (attribute: string) => string;

/** Types whose values are written without quotes, although they travel as JSON strings. */
const UNQUOTED_TYPES: ReadonlySet<string> = new Set(['int32', 'int64', 'decimal', 'float64']);

/** The grammar of a JSON number. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Names that are written without backticks; all others may be, so ASCII is enough. */
const PLAIN_NAME = /^(?!(?:and|or|not)$)[a-z_]\w*$/i;

/**
 * A filter in the language of `dq query --filter`, such as
 * `population >= 1000000 and (country = 'NL' or capital is not null)`. `dq` reads it as the same
 * filter.
 */
export function printFilter(filter: Filter, typeOf: TypeOf): string {
  if ('and' in filter) return filter.and.map((part) => printPart(part, typeOf)).join(' and ');
  if ('or' in filter) return filter.or.map((part) => printPart(part, typeOf)).join(' or ');
  if ('not' in filter) return `not ${printPart(filter.not, typeOf)}`;
  return printComparison(filter, typeOf(filter.attribute));
}

function printPart(part: Filter, typeOf: TypeOf): string {
  const text = printFilter(part, typeOf);
  return 'and' in part || 'or' in part ? `(${text})` : text;
}

function printComparison({ attribute, op, value }: FilterLeaf, type: string): string {
  const name = PLAIN_NAME.test(attribute) ? attribute : `\`${attribute.replaceAll('`', '``')}\``;
  const values = [value].flat().map((item) => printValue(item, type));
  switch (op) {
    case 'is_null':
      return `${name} is ${value === false ? 'not null' : 'null'}`;
    case 'between':
      return `${name} between ${values.join(' and ')}`;
    case 'in':
      return `${name} in (${values.join(', ')})`;
    case 'not_in':
      return `${name} not in (${values.join(', ')})`;
    default:
      return `${name} ${INFIX_OPERATORS[op]} ${values.join(', ')}`;
  }
}

function printValue(value: unknown, type: string): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  if (UNQUOTED_TYPES.has(type) && NUMBER.test(value)) return value;
  return `'${value.replaceAll("'", "''")}'`;
}

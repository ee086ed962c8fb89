import type { Filter } from '@proj/client';
import type { FilterLeaf, Operator } from '@proj/contract';

import type { ViewQuery } from '../state/view-query.ts';
import { shellQuote } from './shell-quote.ts';

const SIGNS: Readonly<Partial<Record<Operator, string>>> = {
  eq: '=',
  ne: '!=',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
  contains: 'contains',
  icontains: 'icontains',
  starts_with: 'starts with',
  istarts_with: 'istarts with',
  ends_with: 'ends with',
  iends_with: 'iends with',
  is_distinct: 'is distinct from',
};

/** Types whose values an expression writes without quotes, although they travel as JSON strings. */
const BARE_TYPES: ReadonlySet<string> = new Set(['int32', 'int64', 'decimal', 'float64']);
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * The `dq` command that prints the page of a view. `typeOf` gives the wire type of an attribute.
 */
export function asDq(query: ViewQuery, typeOf: (attribute: string) => string): string {
  const { model, attributes, page, size, filter, sort } = query;
  const words = ['dq query', shellQuote(model)];
  if (namesFitFlag(attributes)) words.push(`-a ${shellQuote(attributes.join(','))}`);
  if (filter) words.push(`--filter ${shellQuote(expressionOf(filter, typeOf))}`);
  if (sort)
    words.push(
      `--sort ${shellQuote(sort.map((term) => `${term.direction === 'desc' ? '-' : ''}${term.attribute}`).join(','))}`,
    );
  return [...words, `--page ${page}`, `--size ${size}`].join(' ');
}

/** A name with a comma cannot stand in the list; then all attributes are printed. */
function namesFitFlag(names: readonly string[]): boolean {
  return names.every((name) => !name.includes(',') && name.trim() === name);
}

function expressionOf(filter: Filter, typeOf: (attribute: string) => string): string {
  if ('and' in filter) return filter.and.map((part) => expressionOf(part, typeOf)).join(' and ');
  if ('or' in filter) return filter.or.map((part) => expressionOf(part, typeOf)).join(' or ');
  if ('not' in filter) return `not (${expressionOf(filter.not, typeOf)})`;
  return comparisonOf(filter, typeOf(filter.attribute));
}

function comparisonOf({ attribute, op, value }: FilterLeaf, type: string): string {
  // In backticks where it is not a plain word, or could be one of the language's own.
  const name =
    /^[a-z]+_[a-z0-9_]+$|^(?!(?:and|or|not|in|is|null|true|false|between)$)[a-z]\w*$/i.test(
      attribute,
    )
      ? attribute
      : `\`${attribute.replaceAll('`', '``')}\``;
  const values = (Array.isArray(value) ? value : [value]).map((item) => literalOf(item, type));
  if (op === 'is_null') return `${name} is ${value === false ? 'not null' : 'null'}`;
  if (op === 'between') return `${name} between ${values.join(' and ')}`;
  if (op === 'in' || op === 'not_in')
    return `${name} ${op === 'in' ? 'in' : 'not in'} (${values.join(', ')})`;
  return `${name} ${SIGNS[op]} ${values.join('')}`;
}

function literalOf(value: unknown, type: string): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  if (BARE_TYPES.has(type) && NUMBER.test(value)) return value;
  return `'${value.replaceAll("'", "''")}'`;
}

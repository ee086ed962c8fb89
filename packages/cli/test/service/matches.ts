import type { Filter, FilterLeaf, ModelEntry } from '@proj/contract';

import type { CityRecord } from './cities.ts';
import { compare } from './compare.ts';

/** Ways to get filters wrong. */
export interface FilterSlips {
  readonly neKeepsNull?: boolean;
  readonly wildcards?: boolean;
  readonly betweenIsOpen?: boolean;
  readonly twoValued?: boolean;
}

type Truth = boolean | null;

/** Whether a record passes, in three-valued logic. */
export function matches(
  filter: Filter,
  record: CityRecord,
  context: { entry: ModelEntry; slips: FilterSlips },
): Truth {
  if ('and' in filter) return every(filter.and.map((part) => matches(part, record, context)));
  if ('or' in filter)
    return not(every(filter.or.map((part) => not(matches(part, record, context)))));
  if ('not' in filter) {
    const inner = matches(filter.not, record, context);
    return context.slips.twoValued && inner === null ? true : not(inner);
  }
  if (!('attribute' in filter)) throw new Error('The service of the tests has one model only');
  return matchesLeaf(filter, record, context);
}

function every(truths: readonly Truth[]): Truth {
  return truths.includes(false) ? false : truths.includes(null) ? null : true;
}

function not(truth: Truth): Truth {
  return truth === null ? null : !truth;
}

function matchesLeaf(
  { attribute, op, value }: FilterLeaf,
  record: CityRecord,
  { entry, slips }: { entry: ModelEntry; slips: FilterSlips },
): Truth {
  const type = entry.attributes.find(({ name }) => name === attribute)?.type ?? '';
  const held = record[attribute];
  if (op === 'is_null') return (held === null) === value;
  if (op === 'is_distinct')
    return held === null || value === null ? held !== value : compare(held, value, type) !== 0;
  if (held === null) return op === 'ne' && slips.neKeepsNull ? true : null;
  const operands = Array.isArray(value) ? value : [value];
  const signs = operands.map((operand) => Math.sign(compare(held, operand, type)));
  const [first = 0, second = 0] = signs;
  switch (op) {
    case 'eq':
      return first === 0;
    case 'ne':
      return first !== 0;
    case 'lt':
      return first < 0;
    case 'lte':
      return first <= 0;
    case 'gt':
      return first > 0;
    case 'gte':
      return first >= 0;
    case 'in':
      return signs.includes(0);
    case 'not_in':
      return !signs.includes(0);
    case 'has':
    case 'has_any':
      return Array.isArray(held) && operands.some((operand) => held.includes(operand));
    case 'has_all':
      return Array.isArray(held) && operands.every((operand) => held.includes(operand));
    case 'on':
      return textOf(held).slice(0, 10) === value;
    case 'between':
      return slips.betweenIsOpen ? first > 0 && second < 0 : first >= 0 && second <= 0;
    default:
      return search(op, textOf(held), {
        value: textOf(value),
        wildcards: slips.wildcards === true,
      });
  }
}

function search(
  op: string,
  held: string,
  { value, wildcards }: { value: string; wildcards: boolean },
): boolean {
  const pattern = wildcards ? likePattern(value) : escapeRegExp(value);
  const bound = op.replace(/^i/, '');
  const start = bound === 'starts_with' || bound === 'eq' ? '^' : '';
  const end = bound === 'ends_with' || bound === 'eq' ? '$' : '';
  return new RegExp(`${start}${pattern}${end}`, op.startsWith('i') ? 'isu' : 'su').test(held);
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}/-]/g, (mark) => `\\${mark}`);
}

/** A value as LIKE reads it that nobody escaped. */
function likePattern(value: string): string {
  return escapeRegExp(value).replaceAll('%', '.*').replaceAll('_', '.');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

import {
  type AggregateOp,
  AGGREGATES,
  DATE_UNITS,
  GROUP_LIMITS,
  RELATION_LIMITS,
} from '@proj/contract';

import { filterPartText, readFilterPart } from '../filter/filter-text.ts';
import { allOf, isGroup } from '../filter/filter-tree.ts';
import { joinEscaped, splitEscaped, unescape } from '../filter/separated-list.ts';
import {
  type ComputeTerm,
  FIRST_VIEW,
  type GroupTerm,
  type GroupView,
  type RelatedTerm,
} from '../view-state.ts';
import { sortToText } from './sort-text.ts';

/** What is computed where an address says nothing. */
export const COUNTED: readonly ComputeTerm[] = [{ operation: 'count', attribute: null }];

/**
 * The parts of an address that say what is grouped: `group=country.name,at:month`,
 * `compute=count,sum:amount`, `having=count.gt.1`, `group_sort=-sum_amount`, `picture=count`.
 */
export function groupParts({ by, compute, filter, sort, picture }: GroupView): [string, string][] {
  const computed = listText(compute.map(({ operation, attribute }) => [operation, attribute]));
  const parts: [string, string][] = [
    ['group', listText(by.map((term) => [term.attribute, term.unit]))],
  ];
  if (computed !== 'count') parts.push(['compute', computed]);
  for (const part of filter.parts) parts.push(['having', filterPartText(part)]);
  if (filter.match !== FIRST_VIEW.filter.match) parts.push(['having_match', filter.match]);
  if (sort.length > 0) parts.push(['group_sort', sortToText(sort)]);
  if (picture !== null) parts.push(['picture', picture]);
  return parts;
}

/** Reads `country.name,at:month`; undefined for what is none. */
export function groupTermsFromText(text: string): readonly GroupTerm[] | undefined {
  return readList(text, GROUP_LIMITS.groups, ([attribute = '', name, ...others]) => {
    const unit = DATE_UNITS.find((one) => one === name);
    if (attribute === '' || others.length > 0 || unit !== name) return undefined;
    return { attribute, unit: unit ?? null };
  });
}

/** Reads `count,sum:amount`; undefined for what is none. */
export function computeFromText(text: string): readonly ComputeTerm[] | undefined {
  return readList(text, GROUP_LIMITS.aggregates, ([name = '', attribute = null, ...others]) => {
    if (!Object.hasOwn(AGGREGATES, name) || attribute === '' || others.length > 0) return undefined;
    // Records are counted, and of attributes their values.
    if ((name === 'count') !== (attribute === null)) return undefined;
    return { operation: name as AggregateOp, attribute };
  });
}

/**
 * Counts of related records: `orders_count:orders:count,last:orders:max:placed_at`, those that meet
 * a filter `open:orders:count::state.eq.open`.
 */
export function relatedText(terms: readonly RelatedTerm[]): string {
  return listText(
    terms.map(({ name, related, operation, attribute, filter }) => {
      const head = [name, related, operation, attribute];
      const [only] = filter.parts;
      if (only === undefined) return head;
      const isPlain = filter.match === 'all' && filter.parts.length === 1 && !isGroup(only);
      return [...head.map((part) => part ?? ''), filterPartText(isPlain ? only : filter)];
    }),
  );
}

/** Reads what {@link relatedText} wrote; undefined for what is none. */
export function relatedFromText(text: string): readonly RelatedTerm[] | undefined {
  return readList(text, RELATION_LIMITS.aggregates, ([name, related, operation, ...rest]) => {
    const [attribute = null, filter, ...others] = rest;
    const isTerm = Object.hasOwn(AGGREGATES, operation ?? '') && others.length === 0;
    const part = filter === undefined ? FIRST_VIEW.filter : readFilterPart(filter);
    if (!name || !related || !part || !isTerm) return undefined;
    if (attribute === '' && filter === undefined) return undefined;
    return {
      name,
      related,
      operation: operation as AggregateOp,
      attribute: attribute || null,
      filter: isGroup(part) ? part : allOf(part),
    };
  });
}

function listText(terms: readonly (readonly (string | null)[])[]): string {
  const texts = terms.map((parts) =>
    joinEscaped(
      parts.flatMap((part) => part ?? []),
      ':',
    ),
  );
  return joinEscaped(texts, ',');
}

function readList<Term>(
  text: string,
  most: number,
  read: (parts: readonly string[]) => Term | undefined,
): readonly Term[] | undefined {
  const terms = splitEscaped(text, ',').map((term) =>
    read(splitEscaped(unescape(term), ':').map(unescape)),
  );
  const known = terms.filter((term) => term !== undefined);
  return known.length === terms.length && known.length <= most ? known : undefined;
}

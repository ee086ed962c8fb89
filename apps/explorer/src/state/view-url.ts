import { isOperator } from '@proj/contract';

import { escapeWith, joinEscaped, splitEscaped, unescape } from './separated-list.ts';
import { type Condition, FIRST_VIEW, type SortTerm, type ViewState } from './view-state.ts';

/** A view that was read from an address, and what of the address could not be read. */
export interface UrlReading {
  readonly view: ViewState;
  readonly unreadable: readonly string[];
}

/**
 * The query string of a view, such as
 * `model=cities&where=population.gte.1000000&sort=-population&page=3`. Whatever is as in a first
 * view is left out. It holds no token.
 */
export function viewToSearch(view: ViewState): string {
  const members: (readonly [string, string])[] = [];
  if (view.model !== null) members.push(['model', view.model]);
  if (view.attributes !== null) members.push(['attributes', joinEscaped(view.attributes, ',')]);
  for (const condition of view.conditions) members.push(['where', conditionToText(condition)]);
  if (view.match !== FIRST_VIEW.match) members.push(['match', view.match]);
  if (view.sort.length > 0) members.push(['sort', view.sort.map(sortToText).join(',')]);
  if (view.page !== FIRST_VIEW.page) members.push(['page', String(view.page)]);
  if (view.size !== FIRST_VIEW.size) members.push(['size', String(view.size)]);
  return members.map(([name, value]) => `${name}=${encodeValue(value)}`).join('&');
}

/**
 * Reads a query string. What cannot be read is named, never ignored: a filter that is lost would
 * show other records.
 */
export function viewFromSearch(search: string): UrlReading {
  const parameters = new URLSearchParams(search);
  const unreadable: string[] = [];
  const read = <Value>(
    name: string,
    fallback: Value,
    reader: (text: string) => Value | undefined,
  ): Value => {
    const text = parameters.get(name);
    if (text === null) return fallback;
    const value = reader(text);
    if (value === undefined) unreadable.push(`${name}=${text}`);
    return value ?? fallback;
  };
  const conditions = parameters.getAll('where').flatMap((text) => {
    const condition = conditionFromText(text);
    if (condition === undefined) unreadable.push(`where=${text}`);
    return condition ?? [];
  });
  const view: ViewState = {
    model: parameters.get('model'),
    attributes: read<readonly string[] | null>('attributes', null, listFromText),
    conditions,
    match: read('match', FIRST_VIEW.match, (text) =>
      text === 'any' || text === 'all' ? text : undefined,
    ),
    sort: read<readonly SortTerm[]>('sort', [], sortFromText),
    page: read('page', FIRST_VIEW.page, wholeNumber),
    size: read('size', FIRST_VIEW.size, wholeNumber),
  };
  return { view, unreadable };
}

function conditionToText({ attribute, operator, operands }: Condition): string {
  const head = `${escapeWith(attribute, '.')}.${operator}`;
  return operands.length === 0 ? head : `${head}.${joinEscaped(operands, ',')}`;
}

function conditionFromText(text: string): Condition | undefined {
  const [attribute = '', operator = '', operands] = splitEscaped(text, '.', 3);
  if (attribute === '' || !(isOperator(operator) || operator === 'not_null')) return undefined;
  const typed = operands === undefined ? [] : splitEscaped(operands, ',').map(unescape);
  return { attribute: unescape(attribute), operator, operands: typed };
}

function sortToText({ attribute, direction }: SortTerm): string {
  const name = escapeWith(attribute, ',');
  if (direction === 'desc') return `-${name}`;
  return name.startsWith('-') ? `\\${name}` : name;
}

function sortFromText(text: string): readonly SortTerm[] | undefined {
  const terms = splitEscaped(text, ',').map((term): SortTerm => {
    const descends = term.startsWith('-');
    return {
      attribute: unescape(descends ? term.slice(1) : term),
      direction: descends ? 'desc' : 'asc',
    };
  });
  return terms.some(({ attribute }) => attribute === '') ? undefined : terms;
}

function listFromText(text: string): readonly string[] {
  return text === '' ? [] : splitEscaped(text, ',').map(unescape);
}

function wholeNumber(text: string): number | undefined {
  const value = Number(text);
  return /^[1-9]\d*$/.test(text) && Number.isSafeInteger(value) ? value : undefined;
}

/**
 * Commas and colons are allowed in a query (RFC 3986 §3.4), and an address is easier to read with
 * them.
 */
function encodeValue(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replaceAll('%2C', ',')
    .replaceAll('%3A', ':')
    .replaceAll('%20', '+');
}

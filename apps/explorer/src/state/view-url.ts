import { filterPartText, readFilterPart } from './filter-text.ts';
import { escapeWith, joinEscaped, splitEscaped, unescape } from './separated-list.ts';
import { FIRST_VIEW, MATCHES, type SortTerm, type ViewState } from './view-state.ts';

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
  const { match, parts } = view.filter;
  for (const part of parts) members.push(['where', filterPartText(part)]);
  if (match !== FIRST_VIEW.filter.match) members.push(['match', match]);
  if (view.search !== '') members.push(['search', view.search]);
  if (view.sort.length > 0) members.push(['sort', view.sort.map(sortToText).join(',')]);
  // With a record alone the page is the one that holds it, so that the first one is named too.
  const namesPage = view.record === null ? view.page !== FIRST_VIEW.page : !view.seeks;
  if (namesPage) members.push(['page', String(view.page)]);
  if (view.size !== FIRST_VIEW.size) members.push(['size', String(view.size)]);
  if (view.record !== null) members.push(['record', joinEscaped(view.record, ',')]);
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
  const parts = parameters.getAll('where').flatMap((text) => {
    const part = readFilterPart(text);
    if (part === undefined) unreadable.push(`where=${text}`);
    return part ?? [];
  });
  const match = read('match', FIRST_VIEW.filter.match, (text) =>
    MATCHES.find((name) => name === text),
  );
  const record = read<readonly string[] | null>('record', null, (text) =>
    splitEscaped(text, ',').map(unescape),
  );
  const view: ViewState = {
    model: parameters.get('model'),
    attributes: read<readonly string[] | null>('attributes', null, listFromText),
    filter: { match, parts },
    search: parameters.get('search') ?? '',
    sort: read<readonly SortTerm[]>('sort', [], sortFromText),
    page: read('page', FIRST_VIEW.page, wholeNumber),
    size: read('size', FIRST_VIEW.size, wholeNumber),
    record,
    seeks: record !== null && !parameters.has('page'),
  };
  return { view, unreadable };
}

/** As `dq --sort` takes it: `-population,name:nulls-first`. */
function sortToText({ attribute, direction, nulls }: SortTerm): string {
  const escaped = escapeWith(attribute, ',').replaceAll(':', String.raw`\:`);
  const name = nulls === undefined ? escaped : `${escaped}:nulls-${nulls}`;
  if (direction === 'desc') return `-${name}`;
  return name.startsWith('-') ? `\\${name}` : name;
}

function sortFromText(text: string): readonly SortTerm[] | undefined {
  const terms = splitEscaped(text, ',').map(sortTermFromText);
  return terms.some(({ attribute }) => attribute === '') ? undefined : terms;
}

function sortTermFromText(text: string): SortTerm {
  const direction = text.startsWith('-') ? 'desc' : 'asc';
  const parts = splitEscaped(direction === 'desc' ? text.slice(1) : text, ':');
  const nulls = parts.length > 1 ? NULLS[parts.at(-1) ?? ''] : undefined;
  const attribute = unescape((nulls === undefined ? parts : parts.slice(0, -1)).join(':'));
  return { attribute, direction, ...(nulls && { nulls }) };
}

const NULLS: Readonly<Partial<Record<string, 'first' | 'last'>>> = {
  'nulls-first': 'first',
  'nulls-last': 'last',
};

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

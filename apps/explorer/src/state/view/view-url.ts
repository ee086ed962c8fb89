import { filterPartText, readFilterPart } from '../filter/filter-text.ts';
import { joinEscaped, splitEscaped, unescape } from '../filter/separated-list.ts';
import {
  type FilterNode,
  FIRST_VIEW,
  type GroupTerm,
  type Match,
  MATCHES,
  type SortTerm,
  type ViewState,
} from '../view-state.ts';
import {
  computeFromText,
  COUNTED,
  groupParts,
  groupTermsFromText,
  relatedFromText,
  relatedText,
} from './group-address.ts';
import { sortFromText, sortToText } from './sort-text.ts';

/** A part of an address that the view does not have. */
export interface UnreadablePart {
  readonly name: string;
  readonly text: string;
  /** How many parts of the address are before it. */
  readonly place: number;
  /** Whether no view has a part of the name, the address has it before, or the text is no value. */
  readonly why: 'unknown' | 'repeated' | 'unreadable';
}

/** A view that was read from an address, and what of the address could not be read. */
export interface UrlReading {
  readonly view: ViewState;
  readonly unreadable: readonly UnreadablePart[];
}

/** The parts of an address. */
const NAMES = [
  'model',
  'attributes',
  'related',
  'where',
  'match',
  'search',
  'zone',
  'sort',
  'group',
  'compute',
  'having',
  'having_match',
  'group_sort',
  'picture',
  'page',
  'size',
  'record',
];

/** The parts of a filter, which may be there several times. */
const REPEATABLE = ['where', 'having'];

/** The parts that choose what a list has: without one of them it has more, or other things. */
const CHOOSING = ['related', 'where', 'match', 'search', 'zone', 'having', 'having_match'];

/** Whether the records or groups of the list are others than without this part. */
export function choosesRecords({ name }: UnreadablePart): boolean {
  return CHOOSING.includes(name);
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
  if (view.related.length > 0) members.push(['related', relatedText(view.related)]);
  const { match, parts } = view.filter;
  for (const part of parts) members.push(['where', filterPartText(part)]);
  if (match !== FIRST_VIEW.filter.match) members.push(['match', match]);
  if (view.search !== '') members.push(['search', view.search]);
  if (view.zone !== null) members.push(['zone', view.zone]);
  if (view.sort.length > 0) members.push(['sort', sortToText(view.sort)]);
  if (view.group !== null) members.push(...groupParts(view.group));
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
  const parts = addressParts(search);
  const unreadable: UnreadablePart[] = parts.filter(({ why }) => why !== 'unreadable');
  const readPart = <Value>(part: UnreadablePart, reader: (text: string) => Value | undefined) => {
    const value = reader(part.text);
    if (value === undefined) unreadable.push(part);
    return value;
  };
  const read = <Value>(
    name: string,
    fallback: Value,
    reader: (text: string) => Value | undefined,
  ): Value => {
    const part = parts.find((entry) => entry.name === name);
    return (part && readPart(part, reader)) ?? fallback;
  };
  const record = read<readonly string[] | null>('record', null, textsOf);
  const by = read<readonly GroupTerm[] | null>('group', null, groupTermsFromText);
  // They mean nothing without groups.
  const ofGroups = <Value>(reader: (text: string) => Value | undefined) =>
    by === null ? () => undefined : reader;
  const readParts = (wanted: string, reader: (text: string) => FilterNode | undefined) =>
    parts.filter(({ name }) => name === wanted).flatMap((part) => readPart(part, reader) ?? []);
  const grouped = {
    filter: {
      match: read('having_match', FIRST_VIEW.filter.match, ofGroups(matchOf)),
      parts: readParts('having', ofGroups(readFilterPart)),
    },
    compute: read('compute', COUNTED, ofGroups(computeFromText)),
    sort: read<readonly SortTerm[]>('group_sort', [], ofGroups(sortFromText)),
    picture: read<string | null>(
      'picture',
      null,
      ofGroups((text) => text || undefined),
    ),
  };
  const view: ViewState = {
    model: read<string | null>('model', null, (text) => text),
    attributes: read<readonly string[] | null>('attributes', null, listFromText),
    related: read('related', FIRST_VIEW.related, relatedFromText),
    filter: {
      match: read('match', FIRST_VIEW.filter.match, matchOf),
      parts: readParts('where', readFilterPart),
    },
    search: read('search', '', (text) => text),
    zone: read<string | null>('zone', null, (text) => text || undefined),
    sort: read<readonly SortTerm[]>('sort', [], sortFromText),
    page: read('page', FIRST_VIEW.page, wholeNumber),
    size: read('size', FIRST_VIEW.size, wholeNumber),
    record,
    seeks: record !== null && parts.every(({ name }) => name !== 'page'),
    group: by && { by, ...grouped },
  };
  return { view, unreadable: unreadable.toSorted((a, b) => a.place - b.place) };
}

/** The parts of a query string, each with why it is not in the view should its text be no value. */
function addressParts(search: string): readonly UnreadablePart[] {
  const parts = [...new URLSearchParams(search)];
  return parts.map(([name, text], place) => {
    const isRepeated =
      parts.findIndex(([other]) => other === name) < place && !REPEATABLE.includes(name);
    const why = isRepeated ? 'repeated' : 'unreadable';
    return { name, text, place, why: NAMES.includes(name) ? why : 'unknown' };
  });
}

function matchOf(text: string): Match | undefined {
  return MATCHES.find((match) => match === text);
}

function listFromText(text: string): readonly string[] {
  return text === '' ? [] : textsOf(text);
}

function textsOf(text: string): readonly string[] {
  return splitEscaped(text, ',').map(unescape);
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

import {
  aggregateRequestSchema,
  exportRequestSchema,
  facetRequestSchema,
  facetsRequestSchema,
  groupTermSchema,
  queryRequestSchema,
  relatedRequestSchema,
  type RequestError,
  watchRequestSchema,
} from '@proj/contract';
import { distance } from 'fastest-levenshtein';

import { suggestion } from './unknown-name.ts';

const REQUESTS = {
  query: Object.keys(queryRequestSchema.shape),
  export: Object.keys(exportRequestSchema.shape),
  facets: Object.keys(facetsRequestSchema.shape),
  watch: Object.keys(watchRequestSchema.shape),
} as const;

/** By pointer, with 0 for every index. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  '/page': ['page', 'size', 'containing'],
  '/query_sort/0': ['attribute', 'direction', 'nulls'],
  '/query_groups/0': Object.keys(groupTermSchema.shape),
  '/query_aggregates/0': Object.keys(aggregateRequestSchema.shape),
  '/query_related/0': Object.keys(relatedRequestSchema.shape),
  '/query_facets/0': Object.keys(facetRequestSchema.shape),
};

const FILTER = 'attribute op value time_zone and or not related some none'.split(' ');

type Reading = { readonly ok: true } | { readonly ok: false; readonly errors: RequestError[] };

export function suggestMembers<Read extends Reading>(
  reading: Read,
  kind: keyof typeof REQUESTS,
): Read {
  if (reading.ok) return reading;
  const consequences = new Set<string>();
  const errors = reading.errors.map((error) => {
    if (error.code !== 'unknown_member') return error;
    const [, place = '', name = ''] = /^(.*)\/([^/]*)$/s.exec(error.pointer) ?? [];
    const members = membersAt(place, kind);
    const found = members === FILTER ? meantInFilter(name) : meant(name, members);
    if (found.did_you_mean !== undefined) {
      // The filter's other form has none of these members.
      const missing = members === FILTER ? FILTER : [found.did_you_mean];
      for (const member of missing) consequences.add(`missing_member ${place}/${member}`);
      consequences.add(`invalid_facet ${place}`);
    }
    return { ...error, ...found };
  });
  return {
    ...reading,
    errors: errors.filter(({ code, pointer }) => !consequences.has(`${code} ${pointer}`)),
  };
}

function membersAt(place: string, kind: keyof typeof REQUESTS): readonly string[] {
  if (place === '') return REQUESTS[kind];
  if (/\/(query_(group_)?|query_related\/\d+\/)filter(\/|$)/.test(place)) return FILTER;
  return PARTS[place.replace(/\d+/, '0')] ?? [];
}

const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ['operator', 'op'],
  ['field', 'attribute'],
  ['column', 'attribute'],
]);

/** One wrong letter, or two swapped: `{ "name": "x" }` does not mean `none`. */
function meantInFilter(name: string): Pick<RequestError, 'did_you_mean'> {
  // The name is right, its place is not.
  if (FILTER.includes(name)) return {};
  const written = name.toLowerCase();
  const near =
    SYNONYMS.get(written) ??
    FILTER.find((member) => distance(written, member) <= 1 || sorted(written) === sorted(member));
  return near === undefined ? {} : { did_you_mean: near };
}

function sorted(text: string): string {
  return Array.from(text).toSorted().join('');
}

/** `query_filter` for `filter`, else a name with few other letters. */
function meant(name: string, members: readonly string[]): Pick<RequestError, 'did_you_mean'> {
  const whole = `query_${name}`;
  return members.includes(whole) ? { did_you_mean: whole } : suggestion(name, [...members]);
}

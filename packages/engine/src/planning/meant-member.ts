import {
  exportRequestSchema,
  facetRequestSchema,
  facetsRequestSchema,
  queryRequestSchema,
  type RequestError,
  watchRequestSchema,
} from '@proj/contract';

import { suggestion } from './unknown-name.ts';

/** The members of each kind of request. */
const REQUESTS = {
  query: Object.keys(queryRequestSchema.shape),
  export: Object.keys(exportRequestSchema.shape),
  facets: Object.keys(facetsRequestSchema.shape),
  watch: Object.keys(watchRequestSchema.shape),
} as const;

/** The members of what a request holds, by its pointer with 0 for every index. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  '/page': ['page', 'size', 'containing'],
  '/query_sort/0': ['attribute', 'direction', 'nulls'],
  '/query_facets/0': Object.keys(facetRequestSchema.shape),
};

/** A request that was read, or its errors. */
type Reading = { readonly ok: true } | { readonly ok: false; readonly errors: RequestError[] };

/** The same, with the member that was probably meant in each error of one that does not exist. */
export function withMeantMembers<Read extends Reading>(
  reading: Read,
  kind: keyof typeof REQUESTS,
): Read {
  if (reading.ok) return reading;
  const errors = reading.errors.map((error) => {
    if (error.code !== 'unknown_member') return error;
    const [, place = '', name = ''] = /^(.*)\/([^/]*)$/s.exec(error.pointer) ?? [];
    const members = place === '' ? REQUESTS[kind] : PARTS[place.replace(/\d+$/, '0')];
    return { ...error, ...meant(name, members ?? []) };
  });
  return { ...reading, errors };
}

/** `query_filter` for `filter`, else a name of which few letters differ. */
function meant(name: string, members: readonly string[]): Pick<RequestError, 'did_you_mean'> {
  const whole = `query_${name}`;
  return members.includes(whole) ? { did_you_mean: whole } : suggestion(name, [...members]);
}

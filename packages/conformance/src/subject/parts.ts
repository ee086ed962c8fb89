import { API_PATHS } from '@proj/contract';

import type { Section } from '../sections.ts';
import { type JsonObject, membersOf } from './json-object.ts';
import type { Reply, Send } from './send.ts';

/** What is asked about a server. */
interface Questions {
  readonly send: Send;
  /** One of the model. */
  readonly attribute: string;
  /** Sends a query that is in order but for these members. */
  readonly queryWith: (members: JsonObject) => Promise<Reply>;
}

/**
 * Parts of the contract that a server may leave out, and how it shows that it does: it has no such
 * path, or refuses the members as unknown.
 */
const PROBES: { readonly [Part in Section]?: (questions: Questions) => Promise<boolean> } = {
  'the-catalogue': async ({ send }) => (await send({ path: API_PATHS.models })).status !== 404,
  'filters-and-sorting': async ({ attribute, queryWith }) =>
    knows(await queryWith({ query_filter: { attribute, op: 'is_null', value: false } })) ||
    knows(await queryWith({ query_sort: [] })),
  'lists-too-long-to-count': async ({ queryWith }) =>
    knows(await queryWith({ query_total: 'exact' })),
  'related-counts': async ({ queryWith }) => knows(await queryWith({ query_related: [] })),
  groups: async ({ attribute, queryWith }) => knows(await queryWith({ query_groups: [attribute] })),
};

/** Whether a server has a part of the contract. */
export async function hasPart(part: Section, questions: Questions): Promise<boolean> {
  return (await PROBES[part]?.(questions)) ?? true;
}

function knows({ json }: Reply): boolean {
  const { code, errors } = membersOf(json);
  const codes = Array.isArray(errors) ? errors.map((error) => membersOf(error)['code']) : [];
  return ![code, ...codes].includes('unknown_member');
}

import { type ProblemCode, PROBLEMS } from '@proj/contract';

import type { HeaderName } from './headers.ts';
import { IF_NONE_MATCH, notModified, operation, type OperationParts, reply } from './operations.ts';

const OF_A_BODY: readonly ProblemCode[] = [
  ...Object.keys(PROBLEMS).filter(isBodyProblem),
  'not_acceptable',
  'body_too_large',
  'unsupported_media_type',
];

const OF_A_QUERY: readonly ProblemCode[] = [
  'session_refused',
  'policy_failed',
  'data_error',
  'quota_exceeded',
  'internal',
  'database_unavailable',
  'model_unavailable',
  'model_unreadable',
  'no_common_state',
  'overloaded',
  'shutting_down',
  'query_timeout',
];

const LASTING: readonly HeaderName[] = [
  'Data-Age',
  'Data-Position',
  'Data-State',
  'Deprecation',
  'Sunset',
  'RateLimit',
  'RateLimit-Policy',
];

export const REPLY_HEADERS: readonly HeaderName[] = [
  'Accept-Query',
  'Catalogue-Tag',
  'Server-Timing',
  'Data-Version',
  ...LASTING,
];

const DATA_AT_LEAST = {
  name: 'Data-At-Least',
  in: 'header',
  description:
    'A position that the reply has to include: the `Data-Position` of an earlier reply, or that ' +
    'of a write of the caller, as the database names it (an LSN of PostgreSQL, ' +
    'global transaction ids of MariaDB). Ignored where only the primary answers the token, ' +
    'which includes all of them.',
  schema: { type: 'string' },
  example: '0/16B3748@1.mK3xQ0bT',
};

function isBodyProblem(code: string): code is ProblemCode {
  return (
    code !== 'bad_request' &&
    new Map<string, { status: number }>(Object.entries(PROBLEMS)).get(code)?.status === 400
  );
}

/** Only for the body of a query, or of a query and an export. */
export const OF_LISTS: ReadonlySet<ProblemCode> = new Set([
  'size_too_large',
  'no_attributes',
  'too_many_attributes',
  'duplicate_attribute',
  'too_many_sort_terms',
  'not_sortable',
  'invalid_query_total',
  'invalid_related',
  'invalid_groups',
  'too_many_groups',
  'not_groupable',
  'no_visible_key',
  'record_not_in_list',
]);

/** Only for the body of an export. */
export const OF_EXPORTS: ReadonlySet<ProblemCode> = new Set(['invalid_export_csv']);

/** Only for the body of a facets request. */
export const OF_FACETS: ReadonlySet<ProblemCode> = new Set([
  'no_facets',
  'too_many_facets',
  'invalid_facet',
  'not_facetable',
]);

/** The problems of a read, except some. */
export function readProblems(...others: readonly ReadonlySet<ProblemCode>[]): ProblemCode[] {
  return [...OF_A_BODY, ...OF_A_QUERY].filter((code) => !others.some((codes) => codes.has(code)));
}

interface ReadParts extends Pick<OperationParts, 'operationId' | 'description' | 'problems'> {
  readonly summaries: Readonly<Record<keyof ReadOperations, string>>;
  readonly request: object;
  readonly reply: {
    readonly description: string;
    readonly headers: readonly HeaderName[];
    readonly content: Readonly<Record<string, object>>;
  };
  /** Headers beside those of every such path. */
  readonly parameters?: readonly object[];
  /** What stays the same while the `ETag` does; undefined without one. */
  readonly tagged?: string;
}

/** OpenAPI knows the method QUERY since 3.2. */
export interface ReadOperations {
  readonly post: object;
  readonly query: object;
}

export function readOperations(parts: ReadParts): ReadOperations {
  const { operationId, summaries, tagged, problems, parameters = [] } = parts;
  const { description, headers, content } = parts.reply;
  const common = {
    tag: 'Query',
    access: 'token',
    requestBody: { required: true, content: { 'application/json': parts.request } },
    problems,
  } as const;
  const isTagged = tagged !== undefined;
  const sent = isTagged ? [...parameters, DATA_AT_LEAST] : parameters;
  const vary: HeaderName[] = isTagged ? ['ETag', 'Vary'] : ['Vary'];
  const post = operation({
    ...common,
    operationId,
    summary: summaries.post,
    description: parts.description,
    parameters: sent,
    replies: { 200: reply(description, content, headers) },
  });
  const query = operation({
    ...common,
    operationId: `${operationId}Again`,
    summary: summaries.query,
    description: `The same as by POST, by the method QUERY (RFC 10008). ${ofTag(tagged)}`,
    parameters: [...sent, ...(isTagged ? [IF_NONE_MATCH] : [])],
    replies: {
      200: reply(description, content, [...headers, ...vary]),
      ...(isTagged && { 304: notModified(['Vary', ...LASTING]) }),
    },
  });
  return { post, query };
}

function ofTag(tagged: string | undefined): string {
  if (tagged === undefined) return 'There is no `ETag`.';
  return (
    'The reply has a strong `ETag`; a caller who sends it in `If-None-Match` ' +
    `gets 304 without a body while ${tagged} the same.`
  );
}

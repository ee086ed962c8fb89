import { type ProblemCode, PROBLEMS } from '@proj/contract';

const PROBLEM_CODES = Object.keys(PROBLEMS).filter((code): code is ProblemCode =>
  Object.hasOwn(PROBLEMS, code),
);

export type ReadName = 'query' | 'export' | 'facets' | 'watch';

/** Codes that not all of them have. */
const OF_SOME: readonly (readonly [reads: readonly ReadName[], codes: readonly ProblemCode[]])[] = [
  [['query'], ['size_too_large', 'no_visible_key', 'record_not_in_list']],
  [
    ['query', 'export', 'watch'],
    [
      'no_attributes',
      'too_many_attributes',
      'too_many_sort_terms',
      'not_sortable',
      'invalid_groups',
      'too_many_groups',
    ],
  ],
  [
    ['query', 'facets'],
    ['reply_too_large', 'invalid_position'],
  ],
  [['query', 'watch'], ['invalid_query_total']],
  [['query', 'facets', 'watch'], ['out_of_range']],
  [['export'], ['invalid_export_csv', 'http_version_too_old']],
  [['facets'], ['no_facets', 'too_many_facets', 'invalid_facet', 'not_facetable']],
];

const OF_BODIES: readonly ProblemCode[] = [
  'not_acceptable',
  'body_too_large',
  'unsupported_media_type',
];

const OF_READS: readonly ProblemCode[] = [
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
  'http_version_too_old',
];

/** Besides those of every operation with a token. */
export function readProblems(read: ReadName): ProblemCode[] {
  const codes = [...PROBLEM_CODES.filter(isOfBody), ...OF_BODIES, ...OF_READS];
  return codes.filter((code) =>
    OF_SOME.every(([reads, some]) => reads.includes(read) || !some.includes(code)),
  );
}

function isOfBody(code: ProblemCode): boolean {
  return PROBLEMS[code].status === 400 && code !== 'bad_request';
}

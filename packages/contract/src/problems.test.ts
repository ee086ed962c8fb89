import { describe, expect, it } from 'vitest';

import { REQUEST_ERROR_CODES } from '../test/request-error-codes.ts';
import {
  type RequestError,
  type RequestErrorCode,
  errorSchema,
  type ProblemCode,
  type ProblemKind,
  PROBLEMS,
  problemSchema,
} from './problems.ts';

const problems: [code: string, kind: ProblemKind][] = Object.entries(PROBLEMS);

/** Codes are API: a line leaves or changes here only where a release breaks its callers. */
const PUBLISHED: Record<ProblemCode, number> = {
  malformed_json: 400,
  duplicate_key: 400,
  invalid_encoding: 400,
  too_deep: 400,
  invalid_request: 400,
  invalid_type: 400,
  missing_member: 400,
  unknown_member: 400,
  out_of_range: 400,
  size_too_large: 400,
  reply_too_large: 400,
  invalid_text: 400,
  no_attributes: 400,
  too_many_attributes: 400,
  duplicate_attribute: 400,
  invalid_filter: 400,
  filter_too_large: 400,
  unknown_operator: 400,
  operator_not_applicable: 400,
  unknown_time_zone: 400,
  time_zone_not_applicable: 400,
  invalid_value: 400,
  too_many_sort_terms: 400,
  too_many_relations: 400,
  not_sortable: 400,
  invalid_query_total: 400,
  invalid_export_csv: 400,
  no_visible_key: 400,
  record_not_in_list: 400,
  invalid_related: 400,
  invalid_groups: 400,
  too_many_groups: 400,
  not_groupable: 400,
  no_facets: 400,
  too_many_facets: 400,
  invalid_facet: 400,
  not_facetable: 400,
  unknown_model: 400,
  unknown_attribute: 400,
  invalid_position: 400,
  bad_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  origin_refused: 403,
  sign_in_refused: 403,
  claim_missing: 403,
  session_refused: 403,
  policy_failed: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  request_timeout: 408,
  body_too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  data_error: 422,
  rate_limited: 429,
  headers_too_large: 431,
  quota_exceeded: 429,
  auth_unavailable: 503,
  model_unavailable: 503,
  model_unreadable: 503,
  internal: 500,
  not_implemented: 501,
  database_unavailable: 503,
  no_common_state: 503,
  overloaded: 503,
  shutting_down: 503,
  query_timeout: 504,
  http_version_too_old: 505,
};

describe('the table of problems', () => {
  it('has the published codes with their statuses, and no other', () => {
    expect(Object.fromEntries(problems.map(([code, { status }]) => [code, status]))).toEqual(
      PUBLISHED,
    );
  });

  it('is in the order of the statuses', () => {
    const statuses = problems.map(([, { status }]) => status);
    expect(statuses).toEqual(statuses.toSorted((a, b) => a - b));
  });

  it('gives every code a title of its own', () => {
    expect(new Set(problems.map(([, { title }]) => title)).size).toBe(problems.length);
  });

  it.each(problems)(
    'describes %s in sentences that a page can show',
    (code, { title, meaning, remedy }) => {
      expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(title).toMatch(/^[A-Z].*[^.]$/);
      expect(meaning).toMatch(/^[A-Z`].*\.$/);
      expect(remedy).toMatch(/^[A-Z`].*\.$/);
    },
  );
});

describe('the codes of errors', () => {
  it.each(Object.keys(REQUEST_ERROR_CODES) as RequestErrorCode[])(
    'include %s, which is a problem of status 400',
    (code) => {
      expect(PROBLEMS[code].status).toBe(400);
      const error: RequestError = {
        pointer: '/page/size',
        code,
        detail: 'A sentence.',
        maximum: 1000,
        did_you_mean: 'cities',
      };
      expect(errorSchema.parse(error)).toStrictEqual(error);
    },
  );
});

describe('a problem document', () => {
  const problem = {
    type: '/problems/unknown_attribute',
    title: 'No such attribute',
    status: 400,
    detail: '"cities" has no attribute named "nmae".',
    code: 'unknown_attribute',
    request_id: '0b6f',
    errors: [
      {
        pointer: '/query_attributes/0',
        code: 'unknown_attribute',
        detail: 'A sentence.',
        did_you_mean: 'name',
      },
    ],
  };

  it('may list errors', () => {
    expect(problemSchema.parse(problem)).toStrictEqual(problem);
  });

  it('may carry a code of a newer server', () => {
    expect(problemSchema.safeParse({ ...problem, code: 'not_yet_known' }).success).toBe(true);
  });

  it.each(['type', 'title', 'status', 'detail', 'code', 'request_id'])(
    'always has its %s',
    (member) => {
      expect(problemSchema.safeParse({ ...problem, [member]: undefined }).success).toBe(false);
    },
  );
});

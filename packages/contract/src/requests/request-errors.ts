import type * as z from 'zod/mini';

import { jsonPointer } from '../pointer.ts';
import type { RequestError, RequestErrorCode } from '../problems.ts';

const DETAILS = {
  duplicate_attribute: (pointer) => `${pointer} is named a second time.`,
  invalid_export_csv: (pointer) =>
    `${pointer}: expected a text without commas, quotes and line breaks.`,
  invalid_text: (pointer) => `${pointer} holds a lone surrogate or a NUL.`,
  no_attributes: (pointer) => `${pointer}: name at least one attribute.`,
  too_many_attributes: (pointer, maximum) => `${pointer}: name at most ${maximum} attributes.`,
  too_many_sort_terms: (pointer, maximum) => `${pointer}: sort by at most ${maximum} attributes.`,
  invalid_groups: (pointer) =>
    pointer.endsWith('/name') ? invalidName(pointer) : `${pointer}: name at least one attribute.`,
  too_many_groups: tooMany,
  invalid_related: invalidName,
  too_many_relations: tooMany,
  no_facets: (pointer) => `${pointer}: name at least one facet.`,
  too_many_facets: (pointer, maximum) => `${pointer}: name at most ${maximum} facets.`,
  invalid_facet: (pointer) =>
    `${pointer}: expected either "values", with or without "sort", or "bins".`,
} as const satisfies Partial<
  Record<RequestErrorCode, (pointer: string, maximum: number | undefined) => string>
>;

function invalidName(pointer: string): string {
  const expected = 'up to 63 letters, digits and underscores, not beginning with a digit';
  return `${pointer}: expected ${expected}.`;
}

function tooMany(pointer: string, maximum: number | undefined): string {
  return `${pointer}: expected at most ${maximum}.`;
}

type CheckedCode = keyof typeof DETAILS;

interface IssueParams {
  readonly code?: CheckedCode;
  readonly error?: RequestError;
}

/** Carries an error's code, at a place below the checked value. */
export function errorIssue(code: CheckedCode, path: PropertyKey[]) {
  return { code: 'custom' as const, input: undefined, path, params: { code } };
}

/** Stops before a list that is too long is read. Texts are left to the type check. */
export function withCode<Check extends z.core.$ZodCheck>(check: Check, code: CheckedCode): Check {
  const { _zod: internals } = check;
  const find = internals.check.bind(internals);
  internals.check = (payload) => {
    if (!Array.isArray(payload.value)) return undefined;
    const known = payload.issues.length;
    const found = find(payload);
    for (const issue of payload.issues.slice(known)) Object.assign(issue, { params: { code } });
    return found;
  };
  return check;
}

/**
 * The errors behind zod's issues (read with `reportInput`), with pointers.
 *
 * @param place of the value in the request. Default: it is all of it.
 */
export function errorsOf(
  error: z.core.$ZodError,
  place: readonly PropertyKey[] = [],
): RequestError[] {
  return error.issues.flatMap((found) => {
    const issue = { ...found, path: [...place, ...found.path] };
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => unknownMember([...issue.path, key]));
    return [errorOf(issue)];
  });
}

function errorOf(issue: z.core.$ZodIssue): RequestError {
  const pointer = jsonPointer(issue.path);
  const checked = checkedError(issue, pointer);
  if (checked !== undefined) return checked;
  switch (issue.code) {
    case 'invalid_type':
      return wrongType(issue, pointer);
    case 'too_small': {
      const detail = `${pointer}: expected a whole number of at least ${issue.minimum}.`;
      return { pointer, code: 'out_of_range', detail };
    }
    case 'too_big': {
      const maximum = Number(issue.maximum);
      const limit = maximum === Number.MAX_SAFE_INTEGER ? '2^53 − 1' : String(maximum);
      const detail = `${pointer}: expected at most ${limit}.`;
      return { pointer, code: 'out_of_range', detail, maximum };
    }
    case 'invalid_value': {
      const values = issue.values.map((value) => JSON.stringify(value)).join(' or ');
      return { pointer, code: 'invalid_value', detail: `${pointer}: expected ${values}.` };
    }
    default:
      return { pointer, code: 'invalid_type', detail: `${pointer}: not a valid value.` };
  }
}

function checkedError(issue: z.core.$ZodIssue, pointer: string): RequestError | undefined {
  const params: IssueParams | undefined = 'params' in issue ? issue.params : undefined;
  if (params?.code === undefined) return params?.error;
  const { code } = params;
  const maximum = issue.code === 'too_big' ? Number(issue.maximum) : undefined;
  const detail = DETAILS[code](pointer, maximum);
  return { pointer, code, detail, ...(maximum !== undefined && { maximum }) };
}

function wrongType(
  { input, expected }: z.core.$ZodIssueInvalidType,
  pointer: string,
): RequestError {
  const wanted = describe(expected) + suchAs(pointer);
  return input === undefined
    ? { pointer, code: 'missing_member', detail: `${pointer} is required: ${wanted}.` }
    : { pointer, code: 'invalid_type', detail: `${pointer || 'The body'}: expected ${wanted}.` };
}

/** What may be sent, by pointer with 0 for every index. */
const SHAPES: Readonly<Record<string, string>> = {
  '/page': '{"page": 1, "size": 20}',
  '/query_sort': '[{"attribute": …, "direction": "desc"}]',
  '/query_sort/0': '{"attribute": …, "direction": "desc"}',
  '/query_groups': '["country", {"attribute": …, "by": "month"}]',
  '/query_groups/0': '{"attribute": …, "by": "month"}',
  '/query_aggregates': '[{"name": "orders", "op": "count"}]',
  '/query_aggregates/0': '{"name": "revenue", "op": "sum", "attribute": …}',
  '/query_related': '[{"name": "orders_count", "related": "orders", "op": "count"}]',
  '/query_related/0': '{"name": "orders_count", "related": "orders", "op": "count"}',
  '/query_facets': '[{"attribute": …, "values": 10}]',
  '/query_facets/0': '{"attribute": …, "values": 10}',
};

function suchAs(pointer: string): string {
  const shape = SHAPES[pointer.replace(/\d+$/, '0')];
  return shape === undefined ? '' : `, such as ${shape}`;
}

function unknownMember(path: readonly PropertyKey[]): RequestError {
  const pointer = jsonPointer(path);
  return { pointer, code: 'unknown_member', detail: `${pointer} is not part of the request.` };
}

function describe(type: string): string {
  if (type === 'int' || type === 'number') return 'a whole number, not in quotes';
  if (type === 'array' || type === 'object') return `an ${type}`;
  return `a ${type}`;
}

import {
  NetworkError,
  type ProblemCode,
  ProblemError,
  type RequestError,
  TimeoutError,
} from '@proj/client';

/** A call that cannot be answered. The message says what to write instead. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

/** More of them would not make the next call better. */
const MOST_ERRORS = 10;

/** What to do next, in the words of the tools, by the code of a problem. */
const NEXT_STEPS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    unknown_model: 'list_models finds the names of models.',
    unknown_attribute: 'describe_model lists the attributes of a model.',
    operator_not_applicable: 'describe_model says which filters an attribute takes.',
    not_sortable: 'describe_model says which attributes have an order.',
    reply_too_large: 'Ask for a smaller size, or for fewer attributes.',
    query_timeout: 'Ask for less: a filter that keeps less, or total "none".',
    record_not_in_list: 'Check the key, or leave the filter out.',
    no_visible_key: 'Read pages by their numbers with query_records.',
    unauthenticated: 'The token that the tools were given is not valid, or no longer.',
  } satisfies Partial<Record<ProblemCode, string>>),
);

/** What went wrong with a call, and what to do next, for whoever wrote its arguments. */
export function explain(error: unknown): string {
  if (error instanceof ProblemError) return explainProblem(error);
  if (error instanceof TimeoutError)
    return `${error.message}. Ask for less: a filter that keeps less, or a smaller size.`;
  if (error instanceof NetworkError) return `${error.message}. The service may be away: try later.`;
  return error instanceof Error ? error.message : 'Something unforeseen went wrong.';
}

function explainProblem({ code, status, detail, errors, retryAfterMs }: ProblemError): string {
  if (code === null) return `The service answered ${status} without saying why.`;
  const found = errors.length > 0 ? errors.slice(0, MOST_ERRORS).map(explainError) : [detail];
  const wait = retryAfterMs === null ? [] : [`Try again after ${seconds(retryAfterMs)} s.`];
  return [`${code}:`, ...found, NEXT_STEPS.get(code) ?? '', ...wait]
    .filter((part) => part !== '')
    .join(' ');
}

function explainError({ pointer, detail, did_you_mean: meant }: RequestError): string {
  const place = argumentAt(pointer);
  const said = detail.startsWith(pointer) ? detail.slice(pointer.length) : detail;
  const hint = meant === undefined ? '' : ` Did you mean ${JSON.stringify(meant)}?`;
  return `${place}${place === '' ? '' : ': '}${said.replace(/^: /, '')}${hint}`;
}

function seconds(milliseconds: number): number {
  return Math.ceil(milliseconds / 1000);
}

/** THE table of what the members of a request are called in the arguments of the tools. */
const ARGUMENTS: readonly (readonly [pointer: string, argument: string])[] = [
  ['/query_model', 'model'],
  ['/query_attributes', 'attributes'],
  ['/query_filter', 'filter'],
  ['/query_sort', 'sort'],
  ['/query_related', 'related'],
  ['/query_group_filter', 'having'],
  ['/query_groups', 'by'],
  ['/query_aggregates', 'compute'],
  ['/query_facets', 'compute'],
  ['/query_total', 'total'],
  ['/page/containing', 'key'],
  ['/page/page', 'page'],
  ['/page/size', 'size'],
];

/** The argument that a JSON pointer of the service leads to, such as `filter/and/0/value`. */
function argumentAt(pointer: string): string {
  const [member, argument] =
    ARGUMENTS.find(([start]) => pointer === start || pointer.startsWith(`${start}/`)) ?? [];
  return member === undefined ? pointer : `${argument}${pointer.slice(member.length)}`;
}

import type { Problem } from '@proj/contract';

export interface MessageFacts {
  readonly status: number;
  readonly problem: Problem | null;
  readonly requestId: string | null;
}

type RequestError = NonNullable<Problem['errors']>[number];

/** Logs have little room; the rest are counted. */
const MOST_ERRORS = 5;

/** In characters: a name in a request may be long. */
const LONGEST_LINE = 300;

export function problemMessage({ status, problem, requestId }: MessageFacts): string {
  const id = requestId === null ? '' : ` (request id ${requestId})`;
  const answered = `The service answered ${status}`;
  if (problem === null) return `${answered} without a problem document${id}`;
  const { code, detail, errors = [] } = problem;
  const [first, ...more] = errors;
  if (first !== undefined && more.length === 0) return `${answered} ${code}: ${lineOf(first)}${id}`;
  return [`${answered} ${code}: ${line(detail)}${id}`, ...listed(errors)].join('\n- ');
}

function listed(errors: readonly RequestError[]): string[] {
  const lines = errors.slice(0, MOST_ERRORS).map(lineOf);
  const left = errors.length - lines.length;
  return left > 0 ? [...lines, `and ${left} more`] : lines;
}

/** `/query_attributes/2: "cities" has no attribute named "nmae". Did you mean "name"?` */
function lineOf({ pointer, detail, did_you_mean: meant }: RequestError): string {
  const place = pointer === '' || detail.startsWith(pointer) ? '' : `${pointer}: `;
  const hint = meant === undefined ? '' : ` Did you mean ${JSON.stringify(meant)}?`;
  return line(`${place}${detail}`) + line(hint);
}

function line(text: string): string {
  const flat = text.replaceAll(/\s+/g, ' ');
  return flat.length > LONGEST_LINE ? `${flat.slice(0, LONGEST_LINE)}…` : flat;
}

import { type RequestError, type Problem, type ProblemCode, PROBLEMS } from '@proj/contract';
import {
  InvalidPositionError,
  InvalidQueryError,
  QueryFailedError,
  type QueryFailure,
} from '@proj/engine';

/** Most errors that one reply lists; the detail counts the others. */
const MAX_ERRORS = 200;

const NO_POSITION =
  'Data-At-Least: expected a position of the database, such as the Data-Position of a reply.';

interface ProblemOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly errors?: readonly RequestError[];
  readonly cause?: unknown;
}

export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
  readonly code: ProblemCode;
  readonly headers: Readonly<Record<string, string>>;
  readonly errors: readonly RequestError[] | undefined;

  constructor(
    code: ProblemCode,
    detail: string,
    { headers = {}, errors, cause }: ProblemOptions = {},
  ) {
    super(detail, { cause });
    this.code = code;
    this.headers = PROBLEMS[code].status === 503 ? { 'retry-after': '1', ...headers } : headers;
    this.errors = errors;
  }

  get status(): number {
    return PROBLEMS[this.code].status;
  }

  /** RFC 9457 §3. @param publicUrl where callers reach the service, without a trailing slash */
  toDocument(requestId: string, publicUrl = ''): Problem {
    const { status, title } = PROBLEMS[this.code];
    const errors = this.errors?.slice(0, MAX_ERRORS);
    return {
      type: `${publicUrl}/problems/${this.code}`,
      title,
      status,
      detail: this.message,
      code: this.code,
      request_id: requestId,
      ...(errors === undefined ? {} : { errors }),
    };
  }
}

/** Unexpected errors become `internal_error`, without their message. */
export function problemOf(error: unknown): HttpProblem {
  if (error instanceof HttpProblem) return error;
  if (error instanceof InvalidQueryError) return invalidQuery(error.errors);
  if (error instanceof QueryFailedError) {
    const code = codeOf(error.code);
    // What the engine says may be the database's own words.
    return new HttpProblem(code, PROBLEMS[code].meaning, { cause: error });
  }
  if (error instanceof InvalidPositionError)
    return new HttpProblem('invalid_position', NO_POSITION);
  return (
    frameworkProblem(error) ??
    new HttpProblem('internal', 'Something unforeseen went wrong.', { cause: error })
  );
}

function invalidQuery(errors: readonly RequestError[]): HttpProblem {
  const codes = new Set(errors.map((error) => error.code));
  const [only = 'invalid_request'] = codes;
  const code = codes.size === 1 ? only : 'invalid_request';
  const more = errors.length > MAX_ERRORS ? ` The first ${MAX_ERRORS} are listed.` : '';
  const detail =
    errors.length === 1
      ? (errors[0]?.detail ?? '')
      : `The request has ${errors.length} errors.${more}`;
  return new HttpProblem(code, detail, { errors });
}

function codeOf(failure: QueryFailure): ProblemCode {
  // Nobody reads the reply.
  if (failure === 'cancelled') return 'shutting_down';
  // After all attempts: unreadable now.
  return failure === 'schema_changed' ? 'database_unavailable' : failure;
}

const BY_STATUS: Readonly<Record<number, ProblemCode>> = {
  404: 'not_found',
  408: 'request_timeout',
  413: 'body_too_large',
  414: 'uri_too_long',
  415: 'unsupported_media_type',
  431: 'headers_too_large',
};

/** Errors of Fastify itself, such as for a body that is too large. */
function frameworkProblem(error: unknown): HttpProblem | undefined {
  if (!(error instanceof Error) || !('statusCode' in error) || typeof error.statusCode !== 'number')
    return undefined;
  if (error.statusCode < 400 || error.statusCode >= 500) return undefined;
  const isUntyped = 'code' in error && error.code === 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE';
  const status = isUntyped ? 415 : error.statusCode;
  const code = BY_STATUS[status] ?? 'bad_request';
  return new HttpProblem(code, PROBLEMS[code].meaning, { cause: error });
}

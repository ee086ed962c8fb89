import { PROBLEMS, type ProblemCode, type RequestError } from '@proj/contract';

/** One request as it reached the service. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: Buffer;
}

/** What the service sends. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON; a string as it is, and pieces of text as they come. */
  readonly body: unknown;
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'private, no-cache',
      ...headers,
    },
    body,
  };
}

/** A problem document; its request id is filled in when it is sent. */
export function problem(
  code: ProblemCode,
  more: { errors?: readonly object[]; headers?: Record<string, string> } = {},
): Answer {
  const { status, title, meaning } = PROBLEMS[code];
  const body = {
    type: `/problems/${code}`,
    title,
    status,
    detail: meaning,
    code,
    ...(more.errors && { errors: more.errors }),
  };
  return {
    status,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      ...more.headers,
    },
    body,
  };
}

/** The problem of a body with errors: their code where they have one, else that of many. */
export function refused(errors: readonly RequestError[]): Answer {
  const codes = new Set(errors.map(({ code }) => code));
  const [only = 'invalid_request'] = codes;
  return problem(codes.size === 1 ? only : 'invalid_request', { errors });
}

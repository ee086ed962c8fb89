import type { ProblemCode } from '@proj/contract';

import { type HeaderName, headerRefs } from './headers.ts';
import { problemResponses } from './problem-responses.ts';

export interface OperationParts {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tag: 'Query' | 'Catalogue' | 'Health' | 'Reference';
  readonly access: 'token' | 'public';
  readonly replies: Readonly<Record<string, object>>;
  /** Besides those of every operation. */
  readonly problems: readonly ProblemCode[];
  readonly parameters?: readonly object[];
  readonly requestBody?: object;
}

/** What HTTP itself may refuse. 405 is for the other methods of the path. */
const EVERYWHERE: readonly ProblemCode[] = [
  'bad_request',
  'method_not_allowed',
  'request_timeout',
  'headers_too_large',
  'not_implemented',
];

const WITH_TOKEN: readonly ProblemCode[] = [
  'unauthenticated',
  'forbidden',
  'claim_missing',
  'rate_limited',
  'auth_unavailable',
];

const REQUEST_ID = {
  name: 'X-Request-Id',
  in: 'header',
  description:
    'Names the request in the log: 1 to 128 letters, digits and `. _ : / + = -`. ' +
    'Another one is replaced.',
  schema: { type: 'string' },
  example: 'import-2026-01-31/17',
};

export function operation(parts: OperationParts): object {
  const {
    operationId,
    summary,
    description,
    tag,
    access,
    replies,
    problems,
    parameters = [],
    requestBody,
  } = parts;
  return {
    operationId,
    summary,
    description,
    tags: [tag],
    security: access === 'token' ? [{ bearer: [] }] : [],
    parameters: [...parameters, REQUEST_ID],
    ...(requestBody !== undefined && { requestBody }),
    responses: {
      ...replies,
      ...problemResponses(
        [...EVERYWHERE, ...(access === 'token' ? WITH_TOKEN : []), ...problems],
        access,
      ),
    },
  };
}

export function reply(
  description: string,
  content: Readonly<Record<string, object>>,
  headers: readonly HeaderName[] = [],
): object {
  return {
    description,
    headers: headerRefs(['X-Request-Id', 'Cache-Control', ...headers]),
    content,
  };
}

export const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The `ETag` of the version that the caller holds.',
  schema: { type: 'string' },
  example: '"Zb9s0mKlJ1c2dPq7x1Q4nq3o1hE="',
};

export const NOT_MODIFIED = notModified();

/** 304, with these headers besides the usual ones. */
export function notModified(headers: readonly HeaderName[] = []): object {
  return {
    description: 'The version that the caller holds is the current one.',
    headers: headerRefs(['X-Request-Id', 'Cache-Control', 'ETag', ...headers]),
  };
}

import type { ProblemCode } from '@proj/contract';

import { type HeaderName, headerRefs } from './headers.ts';
import { problemResponses } from './problem-responses.ts';

type Access = 'token' | 'public';

export interface OperationParts {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tag: 'Query' | 'Catalogue' | 'Health' | 'Reference';
  readonly access: Access;
  readonly replies: Readonly<Record<string, object>>;
  /** Besides those of every operation. */
  readonly problems: readonly ProblemCode[];
  readonly parameters: readonly object[];
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

const REQUEST_ID = parameter(
  'X-Request-Id',
  'Names the request in the log: 1 to 128 letters, digits and `. _ : / + = -`. ' +
    'Another one is replaced.',
  'import-2026-01-31/17',
);

export const IF_NONE_MATCH = parameter(
  'If-None-Match',
  'The `ETag` of the version that the caller holds.',
  '"Zb9s0mKlJ1c2dPq7x1Q4nq3o1hE="',
);

export function operation(parts: OperationParts): object {
  const { tag, access, replies, problems, parameters, requestBody, ...names } = parts;
  const isOpen = access === 'public';
  const codes = [...EVERYWHERE, ...(isOpen ? [] : WITH_TOKEN), ...problems];
  return {
    ...names,
    tags: [tag],
    security: isOpen ? [] : [{ bearer: [] }],
    parameters: [...parameters, REQUEST_ID],
    ...(requestBody !== undefined && { requestBody }),
    responses: { ...replies, ...problemResponses(codes, access) },
  };
}

export type Parameter = readonly [name: string, description: string, example: string];

export function parameter(...header: Parameter): object {
  return parameterOf(header, { in: 'header' });
}

export function pathParameter(...part: Parameter): object {
  return parameterOf(part, { in: 'path', required: true });
}

function parameterOf([name, description, example]: Parameter, place: object): object {
  return { name, ...place, description, schema: { type: 'string' }, example };
}

export function reply(
  description: string,
  content: Readonly<Record<string, object>>,
  headers: readonly HeaderName[] = [],
): object {
  return { description, headers: replyHeaders(headers), content };
}

/** 304, with these headers besides the usual ones. */
export function notModified(headers: readonly HeaderName[]): object {
  return {
    description: 'The version that the caller holds is the current one.',
    headers: replyHeaders(['ETag', ...headers]),
  };
}

function replyHeaders(others: readonly HeaderName[]): object {
  return headerRefs(['X-Request-Id', 'Cache-Control', ...others]);
}

export function json(content: object): Record<string, object> {
  return { 'application/json': content };
}

import { type ProblemCode, PROBLEMS } from '@proj/contract';

import type { HeaderName } from './headers.ts';
import { type Schema, schemaRef } from './schema.ts';

type Content = Readonly<Record<string, Schema>>;

export interface OperationParts {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tag: 'Query' | 'Catalogue' | 'Health' | 'Reference';
  readonly content: Content;
  /** Besides those of every reply. */
  readonly headers?: readonly HeaderName[];
  /** Besides those of a 304 of every operation; undefined where the replies have no `ETag`. */
  readonly unchanged?: readonly HeaderName[] | undefined;
  /** Besides those of every operation. */
  readonly problems?: readonly ProblemCode[];
  readonly parameters?: readonly Schema[];
  readonly requestBody?: Schema;
}

/** By path and method. */
export type Operations = Readonly<Record<string, Readonly<Record<string, object>>>>;

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

const LIMITS: readonly HeaderName[] = ['RateLimit', 'RateLimit-Policy'];

/** Besides those of all problems. */
const HEADERS_OF: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  415: ['Accept-Post', 'Accept-Query'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** Statuses before the caller, and so its limits, are known. */
const BEFORE_LIMITS: ReadonlySet<number> = new Set([401, 403, 405, 408, 431, 501, 505]);

const REQUEST_ID = parameter(
  'X-Request-Id',
  'Names the request in the log: 1 to 128 letters, digits and `. _ : / + = -`.',
  'import-2026-01-31/17',
);

const IF_NONE_MATCH = parameter(
  'If-None-Match',
  'The `ETag` of a reply that the caller holds.',
  '"Zb9s0mKlJ1c2dPq7x1Q4nq3o1hE="',
);

export function operation(parts: OperationParts): object {
  const { tag, content, headers = [], unchanged, problems = [], parameters = [] } = parts;
  const { operationId, summary, description, requestBody } = parts;
  const isOpen = tag === 'Health' || tag === 'Reference';
  const limits = isOpen ? [] : LIMITS;
  const tagged: HeaderName[] = unchanged === undefined ? [] : ['ETag'];
  const codes = new Set([...EVERYWHERE, ...(isOpen ? [] : WITH_TOKEN), ...problems]);
  return {
    operationId,
    summary,
    description,
    tags: [tag],
    security: isOpen ? [] : [{ bearer: [] }],
    parameters: [...parameters, ...tagged.map(() => IF_NONE_MATCH), REQUEST_ID],
    requestBody,
    responses: {
      200: { ...response('What was asked for.', [...headers, ...tagged, ...limits]), content },
      ...(unchanged && {
        304: response('The caller holds the reply.', [...unchanged, ...tagged, ...limits]),
      }),
      ...problemResponses(codes, limits),
    },
  };
}

export function parameter(name: string, description: string, example: string): Schema {
  return { name, in: 'header', description, schema: { type: 'string' }, example };
}

export function json(content: Schema): Content {
  return { 'application/json': content };
}

function response(description: string, headers: readonly HeaderName[]): object {
  const refs = ['X-Request-Id', 'Cache-Control', ...headers].map(
    (name) => [name, { $ref: `#/components/headers/${name}` }] as const,
  );
  return { description, headers: Object.fromEntries(refs) };
}

function problemResponses(codes: Iterable<ProblemCode>, limits: readonly HeaderName[]): object {
  const content = { 'application/problem+json': { schema: schemaRef('Problem') } };
  const byStatus = Map.groupBy(codes, (code) => PROBLEMS[code].status);
  return Object.fromEntries(
    Array.from(byStatus, ([status, group]) => {
      const headers = [...(HEADERS_OF[status] ?? []), ...(BEFORE_LIMITS.has(status) ? [] : limits)];
      const meanings = group.map((code) => `\`${code}\`: ${PROBLEMS[code].meaning}`);
      return [status, { ...response(meanings.join('\n\n'), headers), content }];
    }),
  );
}

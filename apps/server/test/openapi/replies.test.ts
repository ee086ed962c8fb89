import type { Problem } from '@proj/contract';
import { beforeAll, describe, expect, it } from 'vitest';

import { registeredPaths } from '../owasp/routes.ts';
import { MODELS_PATH, present, QUERY_PATH } from '../helper.ts';
import { codesOf, OPERATIONS, replyDepartures } from './document.ts';
import {
  brokenHttp,
  exampleService,
  failures,
  limits,
  type Provoked,
  refusals,
  successes,
} from './provoked.ts';

/** Files of pages, which no caller of the API asks for. */
const PAGE_FILES = /^\/docs\//;

const service = await exampleService();
let provoked: readonly Provoked[] = [];

beforeAll(async () => {
  const groups = await Promise.all([
    successes(service),
    refusals(service),
    failures(service),
    limits(),
    brokenHttp(service),
  ]);
  provoked = groups.flat();
});

describe('the OpenAPI document covers what the server does:', () => {
  it.each([...OPERATIONS.keys()])('every reply of %s', (operation) => {
    const replies = provoked.filter((found) => found.operation === operation);
    expect(replies.length).toBeGreaterThan(3);
    const departures = replies.flatMap(({ reply }) => {
      return replyDepartures(operation, reply).map(
        (departure) => `${reply.statusCode} ${departure}\n${reply.body}`,
      );
    });
    expect(departures).toEqual([]);
  });

  it('every route', () => {
    const paths = registeredPaths(service.app).filter((path) => !PAGE_FILES.test(path));
    const documented = [...OPERATIONS.keys()].map((operation) =>
      operation.replace(/^\S+ /, '').replace(/\{(\w+)\}/g, ':$1'),
    );
    expect([...new Set(documented)].toSorted()).toEqual(paths);
  });
});

describe('the server does what the OpenAPI document says:', () => {
  it.each([...OPERATIONS])('every status and code of %s', (operation, { responses }) => {
    const documented = Object.entries(responses).flatMap(([status, response]) => {
      const codes = codesOf(response);
      return codes.length === 0 ? [status] : codes.map((code) => `${status} ${code}`);
    });
    const found = provoked
      .filter((one) => one.operation === operation)
      .map(({ reply }) => outcome(reply));
    expect(documented.toSorted()).toEqual([...new Set(found)].toSorted());
  });

  it.each([...OPERATIONS])('whether %s asks for a token', (operation, { security }) => {
    const asked = provoked.some(
      (one) => one.operation === operation && one.reply.statusCode === 401,
    );
    expect(security.length > 0).toBe(asked);
  });
});

describe('a check of replies', () => {
  const body = '{"result":[],"page":{"page":"1","size":"1","total":"0","has_next":false}}';
  const reply = { statusCode: 200, headers: { 'content-type': 'application/json' }, body };

  it.each([
    ['a status', { ...reply, statusCode: 201 }],
    ['a content type', { ...reply, headers: { 'content-type': 'text/csv' } }],
    ['a header', { ...reply, headers: { ...reply.headers, allow: 'GET' } }],
    ['a member', { ...reply, body: body.replace('"result"', '"more":1,"result"') }],
    ['a number for digits', { ...reply, body: body.replace('"0"', '0') }],
  ])('finds %s that is not documented', (_what, found) => {
    expect(replyDepartures(`POST ${QUERY_PATH}`, reply)).toEqual([]);
    expect(replyDepartures(`POST ${QUERY_PATH}`, found)).not.toEqual([]);
  });

  it('finds a code that is not documented', () => {
    const { reply: problem } = present(
      provoked.find(
        (one) => one.operation === `GET ${MODELS_PATH}` && one.reply.statusCode === 406,
      ),
    );
    const other = {
      ...problem,
      body: problem.body.replace('"code":"not_acceptable"', '"code":"not_found"'),
    };
    expect(replyDepartures(`GET ${MODELS_PATH}`, other)).toHaveLength(1);
  });
});

function outcome({ statusCode, body }: Provoked['reply']): string {
  return statusCode < 400
    ? String(statusCode)
    : `${statusCode} ${(JSON.parse(body) as Problem).code}`;
}

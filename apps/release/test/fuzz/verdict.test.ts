import { expect, it } from 'vitest';

import type { FuzzRequest } from './request.ts';
import { faultOf } from './verdict.ts';
import type { Exchange } from './wire.ts';

const BODY: FuzzRequest = { kind: 'body', method: 'POST', bytes: '', target: 'query' };
const FACETS: FuzzRequest = { ...BODY, target: 'facets' };
const EXPORT: FuzzRequest = { ...BODY, target: 'export' };
const HEAD: FuzzRequest = { kind: 'head', method: 'GET', bytes: '' };

function answered(status: number, body: unknown, type = 'application/problem+json'): Exchange {
  const headers = { 'content-type': `${type}; charset=utf-8` };
  return { replies: [{ status, headers, body: JSON.stringify(body) }], rest: '', hung: false };
}

function exported(total: string, body: string): Exchange {
  const headers = { 'content-type': 'application/jsonl', 'export-total': total };
  return { replies: [{ status: 200, headers, body }], rest: '', hung: false };
}

const PAGE = { result: [], page: {} };

function problem(status: number): object {
  return { type: '/problems/x', code: 'x', status };
}

it.each([
  ['a page', BODY, answered(200, PAGE, 'application/json')],
  ['facets', FACETS, answered(200, { facets: [], total: '0' }, 'application/json')],
  ['an export', EXPORT, exported('2', '{}\n{}\n')],
  ['a problem', BODY, answered(400, problem(400))],
  ['anything else that is no query', HEAD, answered(200, '<html>', 'text/html')],
  ['a method that no server has', HEAD, answered(501, problem(501))],
  ['bytes that are no request', HEAD, { replies: [], rest: '', hung: false }],
])('finds nothing wrong with %s', (_what, request, exchange) => {
  expect(faultOf(request, exchange)).toBeUndefined();
});

it.each([
  ['a server error', BODY, answered(500, problem(500)), 'the status is 500'],
  ['a query that is not implemented', BODY, answered(501, problem(501)), 'the status is 501'],
  ['an error of another type', HEAD, answered(404, {}, 'text/html'), 'it is no problem document'],
  ['a problem of another status', BODY, answered(404, problem(400)), 'it is no problem document'],
  ['a reply to a query that is no page', BODY, answered(200, {}), 'it is no page'],
  ['facets without a total', FACETS, answered(200, { facets: [] }), 'it has no facets'],
  ['a part of an export', EXPORT, exported('2', '{}\n'), 'it has 1 records of 2'],
  ['a query without a reply', BODY, { replies: [], rest: '', hung: false }, 'without a reply'],
  ['half a reply', HEAD, { replies: [], rest: 'HTTP', hung: false }, 'within a reply'],
  ['a connection that hangs', HEAD, { replies: [], rest: '', hung: true }, 'stayed open'],
])('finds fault with %s', (_what, request, exchange, fault) => {
  expect(faultOf(request, exchange)).toContain(fault);
});

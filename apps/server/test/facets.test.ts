import type { OutgoingHttpHeaders } from 'node:http';

import { API_PATHS, facetsReplySchema } from '@proj/contract';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { describe, expect, it } from 'vitest';

import type { AuditEntry, AuditLog } from '../src/audit/audit-log.ts';
import { sharedService, startService, TOKEN } from './helper.ts';
import { openShop, SHOP_ROLES } from './owasp/shop.ts';
import { readProblem } from './problem.ts';

const service = await sharedService();

const FACETS = {
  query_model: 'cities',
  query_facets: [
    { attribute: 'name', values: 3, sort: 'value' },
    { attribute: 'id', bins: 2 },
  ],
};

interface Sent {
  readonly method?: 'POST' | 'QUERY';
  readonly headers?: OutgoingHttpHeaders;
  readonly app?: FastifyInstance;
  readonly path?: string;
}

/** Asks for facets, or for something else, with the token of the tests. */
async function ask(
  payload: object = FACETS,
  { method = 'POST', headers = {}, app = service.app, path = API_PATHS.facets }: Sent = {},
): Promise<LightMyRequestResponse> {
  return app.inject({
    method,
    url: `/${path}`,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(payload),
  });
}

/** The errors of a request, sorted, with the places in a member as those in a list. */
function errorsAt(reply: LightMyRequestResponse, member: string): string[] {
  const { errors = [] } = readProblem(reply, 'invalid_request');
  const texts = errors.map(({ pointer, code }) => `${pointer.replace(member, '/list')} ${code}`);
  return texts.toSorted();
}

describe('the facets of a model', () => {
  it('are answered as the contract says, with the headers of a page', async () => {
    const reply = await ask();
    expect(reply.statusCode).toBe(200);
    expect(reply.headers).toMatchObject({
      'cache-control': 'private, no-cache',
      'accept-query': 'application/json',
      'server-timing': expect.stringMatching(/^auth;dur=.*, plan;dur=.*, rows;dur=/) as string,
    });
    expect(reply.headers['data-version']).toBeTypeOf('string');
    const { facets, total } = facetsReplySchema.parse(reply.json());
    expect(facets).toHaveLength(2);
    expect(facets[1]).toMatchObject({ attribute: 'id', others: '0', nulls: '0', min: '1' });
    expect(facets[1]).toMatchObject({ max: total });
  });

  it('have a tag by QUERY, and are 304 for a caller who holds them', async () => {
    const first = await ask(FACETS, { method: 'QUERY' });
    const etag = String(first.headers.etag);
    expect(first.body).toBe((await ask()).body);
    const again = await ask(FACETS, { method: 'QUERY', headers: { 'if-none-match': etag } });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    const other = { ...FACETS, query_facets: FACETS.query_facets.slice(1) };
    const headers = { 'if-none-match': etag };
    expect((await ask(other, { method: 'QUERY', headers })).statusCode).toBe(200);
  });

  it('are refused with every error and its place', async () => {
    const reply = await ask({
      query_model: 'cities',
      query_facets: [{ attribute: 'nam', values: 3 }, { attribute: 'name', bins: 3 }, {}],
    });
    const { errors = [] } = readProblem(reply, 'invalid_request');
    expect(errors.map(({ pointer, code }) => [pointer, code])).toEqual([
      ['/query_facets/2/attribute', 'missing_member'],
      ['/query_facets/2', 'invalid_facet'],
    ]);
    const names = await ask({
      query_model: 'cities',
      query_facets: [
        { attribute: 'nam', values: 3 },
        { attribute: 'name', bins: 3 },
      ],
    });
    expect(readProblem(names, 'invalid_request').errors).toMatchObject([
      { pointer: '/query_facets/0/attribute', code: 'unknown_attribute', did_you_mean: 'name' },
      { pointer: '/query_facets/1/attribute', code: 'not_facetable' },
    ]);
  });

  it('are refused with what the model says of the members that can be read, as pages are', async () => {
    const wrong = {
      query_model: 'cities',
      query_filter: {
        or: [
          { attribute: 'nam', op: 'eq', value: 'x' },
          { attribute: 'id', op: 'eq', value: 'x' },
        ],
      },
      query_order: 'name',
    };
    const facets = [{ attribute: 'nam', values: 3 }, { values: 3 }];
    const sort = [{ attribute: 'nam' }, { direction: 'asc' }];
    const page = { query_attributes: ['id'], query_sort: sort, page: { page: 1, size: 1 } };
    const ofFacets = errorsAt(await ask({ ...wrong, query_facets: facets }), '/query_facets');
    expect(ofFacets).toEqual([
      '/list/1/attribute missing_member',
      '/query_filter/or/0/attribute unknown_attribute',
      '/query_filter/or/1/value invalid_value',
      '/query_order unknown_member',
    ]);
    const ofPage = await ask({ ...wrong, ...page }, { path: API_PATHS.query });
    expect(errorsAt(ofPage, '/query_sort')).toEqual(ofFacets);
  });

  it('that would be too large a reply are refused with the limit', async () => {
    const { app } = await startService({ settings: { maxReplyBytes: 50 } });
    const reply = await ask(FACETS, { app });
    expect(readProblem(reply, 'reply_too_large').errors).toMatchObject([
      { pointer: '/query_facets', maximum: 50 },
    ]);
  });

  it('count their values and bins as records of the audit', async () => {
    const lines: Omit<AuditEntry, 'time'>[] = [];
    const auditLog: AuditLog = {
      write: (entry) => void lines.push(entry),
      failure: undefined,
      dropped: 0,
      close: async () => undefined,
    };
    const { app } = await startService({ over: service, parts: { auditLog } });
    await ask(FACETS, { app });
    expect(lines).toMatchObject([
      { model: 'cities', attributes: ['name', 'id'], page: null, size: null, rows: 5 },
    ]);
  });
});

describe('a role', () => {
  it('gets facets of its own records, and learns nothing of what it does not see', async () => {
    const shop = await openShop({ settings: SHOP_ROLES });
    const facets = async (attribute: string): Promise<LightMyRequestResponse> => {
      const body = { query_model: 'orders', query_facets: [{ attribute, values: 50 }] };
      return ask(body, { app: shop.app, headers: { authorization: 'Bearer north-token' } });
    };
    const reply = await facets('customer');
    expect(reply.json()).toMatchObject({ facets: [{ distinct: '30' }], total: '30' });
    expect(reply.body).not.toContain('canary-south');
    const [hidden, absent] = [await facets('secret'), await facets('secrex')];
    expect(readProblem(hidden, 'unknown_attribute').errors).toEqual(
      JSON.parse(
        JSON.stringify(readProblem(absent, 'unknown_attribute').errors).replace('secrex', 'secret'),
      ),
    );
  });
});

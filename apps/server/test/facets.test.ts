import type { OutgoingHttpHeaders } from 'node:http';

import { API_PATHS, facetsReplySchema } from '@proj/contract';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { describe, expect, it } from 'vitest';

import type { AuditEntry, AuditLog } from '../src/audit/audit-log.ts';
import { sharedService, startService, TOKEN } from './helper.ts';
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

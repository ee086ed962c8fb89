import { API_PATHS, facetsReplySchema } from '@proj/contract';
import { describe, expect, it } from 'vitest';

import { send, sharedService } from './helper.ts';

const service = await sharedService();

const FACETS = {
  query_model: 'cities',
  query_facets: [
    { attribute: 'name', values: 3, sort: 'value' },
    { attribute: 'id', bins: 2 },
  ],
};

const ask = (body: object = FACETS, more: Parameters<typeof send>[2] = {}) =>
  send(service.app, body, { path: `/${API_PATHS.facets}`, ...more });

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
});

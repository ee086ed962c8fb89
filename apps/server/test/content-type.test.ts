import { gzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { cityQuery, QUERY_PATH, sharedService, TOKEN } from './helper.ts';
import {
  REFUSED_CODINGS,
  REFUSED_CONTENT_TYPES,
  TAKEN_CONTENT_TYPES,
} from './hostile/content-types.ts';

const service = await sharedService();
const BODY = JSON.stringify(cityQuery(1, 1));
const authorization = `Bearer ${TOKEN}`;

describe('a body that is not declared as JSON in UTF-8 is refused', () => {
  it.each(REFUSED_CONTENT_TYPES)('with the content type %j', async (type) => {
    const reply = await service.ask(BODY, { 'content-type': type });
    expect(reply).toBeProblem('unsupported_media_type');
    expect(reply.headers).toMatchObject({
      'accept-post': 'application/json',
      'accept-query': 'application/json',
    });
  });

  it('with no content type at all', async () => {
    const reply = await service.app.inject({
      method: 'POST',
      url: QUERY_PATH,
      headers: { authorization },
      payload: BODY,
    });
    expect(reply).toBeProblem('unsupported_media_type');
  });

  it('with neither content type nor body', async () => {
    expect(
      await service.app.inject({ method: 'POST', url: QUERY_PATH, headers: { authorization } }),
    ).toBeProblem('unsupported_media_type');
  });

  it.each(REFUSED_CODINGS)('with the content coding %j', async (coding) => {
    expect(await service.ask(gzipSync(BODY), { 'content-encoding': coding })).toBeProblem(
      'unsupported_media_type',
    );
    expect(await service.ask(BODY, { 'content-encoding': coding })).toBeProblem(
      'unsupported_media_type',
    );
  });

  it('as multipart', async () => {
    const payload = `--x\r\nContent-Type: application/json\r\n\r\n${BODY}\r\n--x--\r\n`;
    expect(
      await service.ask(payload, { 'content-type': 'multipart/form-data; boundary=x' }),
    ).toBeProblem('unsupported_media_type');
  });

  it('however long it is', async () => {
    expect(
      await service.ask('x'.repeat(1024 * 1024), { 'content-type': 'text/plain' }),
    ).toBeProblem('unsupported_media_type');
  });
});

describe('a body that is declared as JSON in UTF-8 is read', () => {
  it.each(TAKEN_CONTENT_TYPES)('with the content type %j', async (type) => {
    expect((await service.ask(BODY, { 'content-type': type })).statusCode).toBe(200);
  });

  it.each(['identity', 'Identity'])('with the content coding %s', async (coding) => {
    expect((await service.ask(BODY, { 'content-encoding': coding })).statusCode).toBe(200);
  });
});

describe('a caller that takes no JSON', () => {
  it.each([
    'text/html',
    'text/*',
    'image/png, text/csv',
    'application/xml',
    'application/json;q=0',
    'nonsense',
    'application/json5',
  ])('is refused before its body is read: %s', async (accept) => {
    expect(await service.ask('{', { accept })).toBeProblem('not_acceptable');
  });

  it.each([
    '*/*',
    'application/*',
    'application/json',
    'text/html, application/json;q=0.1',
    'text/html, */*;q=0.01',
  ])('is another than one that takes it among others: %s', async (accept) => {
    expect((await service.ask(BODY, { accept })).statusCode).toBe(200);
  });
});

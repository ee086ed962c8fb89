import { catalogueSchema, modelSchema } from '@proj/contract';
import { describe, expect, it } from 'vitest';

import { CITIES, cityQuery, MODELS_PATH, sharedService } from './helper.ts';

const service = await sharedService({
  sql: `${CITIES} create table "odd / näme?" (id integer primary key); create view nameless as select name from cities;`,
  settings: { models: { cities: { description: 'Places.', label: 'name', maxPageSize: 100 } } },
});

function tagOf({ headers }: { readonly headers: Readonly<Record<string, unknown>> }): unknown {
  return headers['catalogue-tag'];
}

describe('the catalogue', () => {
  it('lists the models of the token by name', async () => {
    const document = catalogueSchema.parse((await service.get(MODELS_PATH)).json());
    expect(document.models.map((model) => model.name)).toEqual(['cities', 'odd / näme?']);
  });

  it('describes one model as in the list', async () => {
    const [first] = (await service.get(MODELS_PATH)).json().models;
    const model = modelSchema.parse((await service.get(`${MODELS_PATH}/cities`)).json());
    expect(model).toEqual(first);
    expect(model).toMatchObject({
      name: 'cities',
      description: 'Places.',
      key: ['id'],
      label: 'name',
      max_page_size: 100,
    });
    expect(model.attributes.map(({ name, type, nullable }) => [name, type, nullable])).toEqual([
      ['id', 'int64', false],
      ['name', 'text', false],
      ['population', 'int64', true],
      ['area', 'float64', true],
    ]);
  });

  it('finds a model whose name needs escaping in a path', async () => {
    const { name } = (
      await service.get(`${MODELS_PATH}/${encodeURIComponent('odd / näme?')}`)
    ).json();
    expect(name).toBe('odd / näme?');
  });

  it.each([
    'nowhere',
    'nameless',
    'Cities',
    '__proto__',
    'constructor',
    '',
    '%00',
    'cities%20',
    'sqlite_schema',
  ])('has no model at %j', async (name) => {
    expect(await service.get(`${MODELS_PATH}/${name}`)).toBeProblem('not_found');
  });

  it('holds the model to the page size that it names', async () => {
    expect((await service.ask(cityQuery(1, 100))).statusCode).toBe(200);
    expect(await service.ask(cityQuery(1, 101))).toBeProblem('size_too_large');
  });
});

describe('the tag of the catalogue', () => {
  it('is on every reply with a body that follows it', async () => {
    const tag = tagOf(await service.get(MODELS_PATH));
    expect(tag).toMatch(/^[A-Za-z0-9_-]{27}$/);
    const model = await service.get(`${MODELS_PATH}/cities`);
    const page = await service.ask(cityQuery(1, 1));
    expect([tagOf(model), tagOf(page)]).toEqual([tag, tag]);
  });

  it('is on no problem, and on nothing that needs no token', async () => {
    expect(tagOf(await service.get(`${MODELS_PATH}/nowhere`))).toBeUndefined();
    expect(tagOf(await service.get('/livez'))).toBeUndefined();
  });
});

describe('a cached catalogue', () => {
  it.each([MODELS_PATH, `${MODELS_PATH}/cities`])('is confirmed by its ETag: %s', async (path) => {
    const first = await service.get(path);
    expect(first.headers).toMatchObject({
      etag: expect.stringMatching(/^"[^"]+"$/),
      'cache-control': 'private, no-cache',
    });
    const again = await service.get(path, { 'if-none-match': String(first.headers.etag) });
    expect(again.statusCode).toBe(304);
    expect(again.body).toBe('');
    expect(again.headers).toMatchObject({
      etag: first.headers.etag,
      'cache-control': 'private, no-cache',
    });
  });

  it('is sent again to whom holds another one', async () => {
    expect((await service.get(MODELS_PATH, { 'if-none-match': '"other"' })).statusCode).toBe(200);
  });

  it('is not confirmed to whom has no token', async () => {
    const { headers } = await service.get(MODELS_PATH);
    const reply = await service.get(MODELS_PATH, {
      'if-none-match': String(headers.etag),
      authorization: 'Bearer wrong',
    });
    expect(reply).toBeProblem('unauthenticated');
  });

  it('is asked for by HEAD like by GET', async () => {
    const get = await service.get(MODELS_PATH);
    const head = await service.app.inject({
      method: 'HEAD',
      url: MODELS_PATH,
      headers: { authorization: 'Bearer test-token' },
    });
    expect(head.body).toBe('');
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
  });
});

it('refuses a caller that takes no JSON', async () => {
  expect(await service.get(MODELS_PATH, { accept: 'text/html' })).toBeProblem('not_acceptable');
});

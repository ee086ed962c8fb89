import { modelSchema } from '@proj/contract';
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

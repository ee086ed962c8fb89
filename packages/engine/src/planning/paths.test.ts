import { expect, it } from 'vitest';

import { anyPlanOf, catalogueOf, columnOf, namesOf, tableOf } from '../../test/unit/models.ts';
import { EVERYTHING, Grant } from '../catalogue/grant.ts';
import type { Model } from '../catalogue/model.ts';
import { planQuery } from './plan.ts';

/** A table that refers to others, and has a name. */
function placeOf(name: string, ...targets: readonly string[]) {
  const held = targets.map((target) => columnOf(`${target}_id`, 'int64'));
  return {
    ...tableOf(name, [columnOf('id', 'int64', false), columnOf('name'), ...held]),
    uniqueKeys: [[{ column: 'id' }]],
    foreignKeys: targets.map((target) => ({
      columns: [`${target}_id`],
      relation: [target],
      key: ['id'],
    })),
  };
}

const CATALOGUE = catalogueOf(
  placeOf('continent'),
  placeOf('country', 'continent'),
  placeOf('city', 'country'),
  placeOf('trade'),
  placeOf('town'),
  placeOf('towns'),
  placeOf('person', 'trade', 'city', 'town', 'towns'),
);
const LONGEST = 'city.country.continent.name';

const PERSON = { attributes: new Set(['name', 'city_id']) };

const leaf = (attribute: string) => ({ attribute, op: 'eq', value: 'a' }) as const;
const personOf = (members: object) => ({
  query_model: 'person',
  query_attributes: ['name'],
  page: { page: 1, size: 10 },
  ...members,
});

function errorsOf(members: object, grant = EVERYTHING): string[] {
  const planning = planQuery(personOf(members), CATALOGUE, grant);
  const errors = planning.ok ? [] : planning.errors;
  return errors.map(({ code, did_you_mean: meant }) => `${code} ${meant}`);
}

it('a path joins each model on its way once, from the one before', () => {
  const names = namesOf(CATALOGUE.get('person') as Model, CATALOGUE);
  for (const path of [LONGEST, 'city.name', 'trade.name', LONGEST]) names.resolve(path, '');
  const { joins } = names;
  const places = joins.map(({ path, owner, target }) => [path, owner.name, target.name]);
  expect(places).toEqual([
    [['city'], 'person', 'city'],
    [['city', 'country'], 'city', 'country'],
    [['city', 'country', 'continent'], 'country', 'continent'],
    [['trade'], 'person', 'trade'],
  ]);
  const [city, country] = joins.map(({ number }) => number);
  expect(joins.map(({ from }) => from)).toEqual([undefined, city, country, undefined]);
  expect(new Set(joins.map(({ number }) => number)).size).toBe(4);
});

it.each([
  ['cty.contry.continent.name', LONGEST],
  ['city.country.continnt.nme', LONGEST],
  ['xxxx.name', undefined],
  ['city.xxxxxxx.name', undefined],
  ['city.country.continent.xxxxxxxxx', undefined],
  ['city.country.continent.names.id', undefined],
  ['cty.country.continent.city.name', undefined],
  ['city.nam', 'city.name'],
  ['city_', 'city_id'],
  ['toown.name', 'town.name'],
])('instead of the path %s, %s was meant', (path, meant) => {
  expect(errorsOf({ query_attributes: [path] })).toEqual([`unknown_attribute ${meant}`]);
});

it.each<[string, Grant]>([
  ['of hidden models', new Grant(new Map([['person', PERSON]]))],
  [
    'whose key is hidden',
    new Grant(
      new Map([
        ['person', PERSON],
        ['city', { attributes: new Set(['name']) }],
      ]),
    ),
  ],
])('paths %s are unknown, and nobody is led to them', (_, grant) => {
  expect(errorsOf({ query_attributes: ['city.name'] })).toEqual([]);
  for (const path of ['city.name', 'city.nme', 'city.country.continent.name.id'])
    expect(errorsOf({ query_attributes: [path] }, grant)).toEqual(['unknown_attribute undefined']);
});

it('a list depends on the models of its filters’ paths, and sorts by each column of a path', () => {
  const related = { related: 'person', some: leaf('trade.name') };
  const city = { query_model: 'city', query_attributes: ['id'], query_filter: related };
  const plan = anyPlanOf(city, EVERYTHING, CATALOGUE);
  expect(plan.models.map(({ name }) => name)).toEqual(['city', 'person', 'trade']);
  const query_sort = ['name', 'city.name', 'trade.name'].map((attribute) => ({
    attribute,
  }));
  const { order } = anyPlanOf(personOf({ query_sort }), EVERYTHING, CATALOGUE);
  expect(order.map(({ column }) => column)).toEqual(['name', 'name', 'name', 'id']);
});

import {
  catalogueDocument,
  catalogueEntry,
  type Engine,
  EVERYTHING,
  Grant,
  type ModelGrant,
} from '@proj/engine';
import { beforeAll, describe, expect, it } from 'vitest';

import { fixturesOf } from '../fixtures/index.ts';
import { open } from '../open.ts';

const FIXTURES = fixturesOf(import.meta.filename);

const TABLES = [
  'create table regions (country int not null, number int not null, primary key (country, number))',
  `create table cities (
    id int not null primary key, country int, region int, twin int,
    foreign key (country, region) references regions (country, number),
    foreign key (twin) references cities (id)
  )`,
  'create table labels (id int not null primary key, code int not null unique)',
  `create table parcels (
    id int not null primary key, label int, city int,
    foreign key (label) references labels (code), foreign key (city) references cities (id)
  )`,
];

const TO_REGION = {
  name: 'regions',
  inverse: 'cities',
  attributes: ['country', 'region'],
  model: 'regions',
  key: ['country', 'number'],
};
const TO_TWIN = {
  name: 'twin',
  inverse: 'cities',
  attributes: ['twin'],
  model: 'cities',
  key: ['id'],
};
const TO_LABEL = {
  name: 'label',
  inverse: 'parcels',
  attributes: ['label'],
  model: 'labels',
  key: ['code'],
};
const TO_CITY = {
  name: 'city',
  inverse: 'parcels',
  attributes: ['city'],
  model: 'cities',
  key: ['id'],
};

type Granted = Readonly<Record<string, ModelGrant>>;

const ALL: ModelGrant = { attributes: 'all' };

describe.each(FIXTURES)('the references of the catalogue on $name', (fixture) => {
  let url: string;
  let engine: Engine;

  beforeAll(async () => {
    const database = await fixture.create();
    ({ url } = database);
    await database.execute(TABLES);
    engine = await open(url);
  });

  function referencesOf(model: string, granted?: Granted) {
    const grant = granted === undefined ? EVERYTHING : new Grant(new Map(Object.entries(granted)));
    const references = catalogueEntry(engine.catalogue, grant, model)?.references ?? [];
    return references.toSorted((a, b) => (a.model < b.model ? -1 : 1));
  }

  it('are the foreign keys, of several columns, to the table itself, and to other keys than the first', () => {
    expect(referencesOf('cities')).toEqual([TO_TWIN, TO_REGION]);
    expect(referencesOf('parcels')).toEqual([TO_CITY, TO_LABEL]);
  });

  it('are no member of a model that has none', () => {
    for (const name of ['regions', 'labels'])
      expect(catalogueEntry(engine.catalogue, EVERYTHING, name)).not.toHaveProperty('references');
  });

  it('are the same in the document of all models', () => {
    for (const { name, references } of catalogueDocument(engine.catalogue, EVERYTHING).models)
      expect(references).toEqual(catalogueEntry(engine.catalogue, EVERYTHING, name)?.references);
  });

  it('are shown only to those who see the model and all attributes at both ends', () => {
    expect(referencesOf('cities', { cities: ALL })).toEqual([TO_TWIN]);
    const withoutTwin = { attributes: new Set(['id', 'country', 'region']) };
    expect(referencesOf('cities', { cities: withoutTwin, regions: ALL })).toEqual([TO_REGION]);
    const withoutRegion = { attributes: new Set(['id', 'country', 'twin']) };
    expect(referencesOf('cities', { cities: withoutRegion, regions: ALL })).toEqual([TO_TWIN]);
    const withoutNumber = { attributes: new Set(['country']) };
    expect(referencesOf('cities', { cities: ALL, regions: withoutNumber })).toEqual([TO_TWIN]);
    const withoutId = { attributes: new Set(['country', 'twin']) };
    expect(referencesOf('cities', { cities: withoutId })).toEqual([]);
  });

  it('have the names that the settings give, and each model that shows a relation', async () => {
    const renamed = await open(url, {
      expose: 'listed',
      models: {
        towns: {
          source: 'cities',
          attributes: { number: { column: 'id' }, pair: { column: 'twin' } },
        },
        pairs: { source: 'cities', attributes: { key: { column: 'id' }, twin: {} } },
      },
    });
    expect(catalogueEntry(renamed.catalogue, EVERYTHING, 'towns')?.references).toEqual([
      { name: 'twin', inverse: 'towns', attributes: ['pair'], model: 'towns', key: ['number'] },
      { attributes: ['pair'], model: 'pairs', key: ['key'] },
    ]);
  });
});

import { catalogueEntry, EVERYTHING } from '@proj/engine';
import { describe, expect, it } from 'vitest';

import { open } from '../open.ts';
import { urlOf, usePostgres } from './server.ts';

const SQL = `
  create schema geo;
  create table geo.countries (code int primary key);
  create table cities (id int primary key, country int references geo.countries);
  create table geo.rivers (id int primary key, mouth int references cities);
  create table events (id int, day int, primary key (id, day)) partition by range (day);
  create table events_low partition of events for values from (0) to (100);
  create table notes (
    id int primary key, event int, day int, foreign key (event, day) references events
  );
  create role reader login;
  grant usage on schema geo to reader;
  grant select on all tables in schema public, geo to reader;`;

describe('the references of tables of PostgreSQL', () => {
  const server = usePostgres(SQL);

  it('lead from schema to schema, and to partitioned tables once, for a role that may only read', async () => {
    const engine = await open(urlOf(server(), 'reader'));
    const referencesOf = (name: string) =>
      catalogueEntry(engine.catalogue, EVERYTHING, name)?.references;
    expect(referencesOf('cities')).toEqual([
      {
        name: 'country',
        inverse: 'cities',
        attributes: ['country'],
        model: 'geo.countries',
        key: ['code'],
      },
    ]);
    expect(referencesOf('geo.rivers')).toEqual([
      { name: 'mouth', inverse: 'geo.rivers', attributes: ['mouth'], model: 'cities', key: ['id'] },
    ]);
    expect(referencesOf('notes')).toEqual([
      {
        name: 'events',
        inverse: 'notes',
        attributes: ['event', 'day'],
        model: 'events',
        key: ['id', 'day'],
      },
    ]);
  });
});

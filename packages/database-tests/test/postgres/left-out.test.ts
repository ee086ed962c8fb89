import type { CatalogueReport, Engine, ModelSettings } from '@proj/engine';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { ask, open } from '../open.ts';
import { urlOf, usePostgres } from './server.ts';

const SQL = `
  create table family (id int primary key);
  create table child (more int) inherits (family);
  create table base (id int primary key, name text);
  create materialized view summary as select id as "Key: 1", name from base;
  create unique index on summary ("Key: 1");
  create table loose (id int unique, name text);
  create table secret_key (id int primary key, name text);
  create table nothing ();
  create view by_name as select name from base;
  create table "other.items" (id int primary key);
  create schema other;
  create table other.items (id int primary key, hidden int);
  create role reader login;
  grant usage on schema other to reader;
  grant select on all tables in schema public to reader;
  grant select on other.items to reader;
  revoke select on secret_key from reader;
  grant select (name) on secret_key to reader;`;

describe('what is left out', () => {
  const postgres = usePostgres(SQL);
  let url: string;
  let engine: Engine;
  beforeAll(async () => {
    url = urlOf(postgres(), 'reader');
    engine = await open(url);
  });

  function reportOf(model: string): CatalogueReport {
    const found = engine.reports.filter((report) => report.model === model);
    expect(found).toHaveLength(1);
    const [report] = found;
    if (report === undefined) throw new Error('It is not reported.');
    return report;
  }

  it.each([
    ['family', /^Other tables inherit from the table/],
    ['summary', /materialised view are not NULL/],
    ['loose', /may be NULL/],
    ['secret_key', /may not be read/],
    ['by_name', /no unique key/],
    ['child', /no unique key/],
    ['nothing', /no columns/],
    [
      'other.items',
      /^"other"."items" and "public"."other.items" would both be named "other.items"/,
    ],
  ])('%s has a reason of its own, once', (model, problem) => {
    expect(reportOf(model).problem).toMatch(problem);
  });

  it.each(['family', 'summary', 'loose'])(
    '%s is served when the settings of its remedy are pasted',
    async (model) => {
      const [, yaml = ''] = /: (models: .*)$/.exec(reportOf(model).remedy) ?? [];
      const { models } = parse(yaml) as { models: Record<string, ModelSettings> };
      const corrected = await open(url, { models });
      const attributes = models[model]?.key ?? [];
      expect((await ask(corrected, { model, attributes })).page.total).toBe('0');
    },
  );

  it.each(['by_name', 'secret_key'])(
    '%s has a remedy that is YAML with a column to fill in',
    (model) => {
      const [, yaml = ''] = /: (models: .*)$/.exec(reportOf(model).remedy) ?? [];
      expect(parse(yaml)).toEqual({ models: { [model]: { key: ['column'] } } });
    },
  );
});

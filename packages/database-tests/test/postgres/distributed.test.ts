import {
  catalogueEntry,
  type CatalogueReport,
  type Engine,
  EVERYTHING,
  type ModelSettings,
} from '@proj/engine';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { bodyOf, open } from '../open.ts';
import { usePostgres } from './server.ts';

/** The other server is another database of this one, which is as far away for PostgreSQL. */
const sqlOf = ({ port, pathname }: URL): string => `
  create database elsewhere;
  \\connect elsewhere
  create table orders (id int primary key, placed int);
  insert into orders select n, n from generate_series(1, 20) as n;
  \\connect ${pathname.slice(1)}
  create extension postgres_fdw;
  create server elsewhere foreign data wrapper postgres_fdw
    options (host '127.0.0.1', port '${port}', dbname 'elsewhere');
  create user mapping for postgres server elsewhere options (user 'postgres');
  create foreign table far (id int not null, placed int) server elsewhere
    options (table_name 'orders');
  create table spread (id int not null, placed int) partition by range (id);
  create table spread_near partition of spread for values from (100) to (200);
  create foreign table spread_far partition of spread for values from (1) to (100)
    server elsewhere options (table_name 'orders');
  insert into spread values (100, 1);
  create table parent (id int primary key);
  create foreign table child () inherits (parent) server elsewhere
    options (table_name 'orders');
  create table near (id int primary key, far_id int);
  insert into near values (1, 7);
  create view above as select n.id, f.placed from near n join far f on f.id = n.far_id;
  create view higher as select * from above;
  create materialized view kept as select * from far;
  create view over_kept as select * from kept;`;

const KEYS = Object.fromEntries(
  ['spread', 'far', 'parent', 'above', 'higher', 'kept', 'over_kept'].map((name) => [
    name,
    { key: ['id'] },
  ]),
);

describe('records that are on another server', () => {
  const postgres = usePostgres();
  let engine: Engine;

  beforeAll(async () => {
    const { url } = postgres();
    await postgres().client(sqlOf(new URL(url)));
    engine = await open(url, { models: KEYS });
  });

  function reportOf(model: string): CatalogueReport | undefined {
    return engine.reports.find((report) => report.model === model);
  }

  async function serve(models: Record<string, ModelSettings>): Promise<Engine> {
    return open(postgres().url, { models: { ...KEYS, ...models } });
  }

  it.each([
    ['far', 'Its rows are on the server "elsewhere" (postgres_fdw).'],
    ['spread', 'Its rows of spread_far are on the server "elsewhere" (postgres_fdw).'],
    ['parent', 'Its rows of child are on the server "elsewhere" (postgres_fdw).'],
    ['above', 'Its rows of far are on the server "elsewhere" (postgres_fdw).'],
    ['higher', 'Its rows of far are on the server "elsewhere" (postgres_fdw).'],
  ])('keep the model %s from being served, and the report says where they are', (name, where) => {
    expect(engine.catalogue.has(name)).toBe(false);
    expect(reportOf(name)?.problem).toBe(
      `${where} Rows and total of a reply could be of different states.`,
    );
  });

  it('do not keep a table beside them or a materialised view of them from being served', () => {
    expect([...engine.catalogue.keys()]).toEqual(['kept', 'near', 'over_kept']);
    for (const model of engine.catalogue.values()) expect(model.distributed).toBeUndefined();
  });

  it.each(['far', 'spread', 'higher'])(
    'are served as %s with the settings of the remedy, and the answer says what they are',
    async (name) => {
      const [, yaml = ''] = /: (models: .*)$/.exec(reportOf(name)?.remedy ?? '') ?? [];
      const { models } = parse(yaml) as { models: Record<string, ModelSettings> };
      const other = await serve({ [name]: { ...KEYS[name], ...models[name] } });
      const answer = await other.query(bodyOf({ model: name, attributes: ['id'] }), EVERYTHING);
      expect(answer.approximate).toBe(true);
      expect(answer.version).toBeUndefined();
      const entry = catalogueEntry(other.catalogue, EVERYTHING, name);
      expect(entry).toMatchObject({ distributed: true });
    },
  );

  it('are no longer served once a partition on another server is attached', async () => {
    await postgres().client('alter table spread detach partition spread_far');
    const other = await serve({});
    const query = bodyOf({ model: 'spread', attributes: ['id'] });
    expect((await other.query(query, EVERYTHING)).approximate).toBe(false);
    await postgres().client(
      'alter table spread attach partition spread_far for values from (1) to (100)',
    );
    const candidate = await other.prepare({ expose: 'all', models: KEYS, maxPageSize: 1000 });
    expect(candidate.reports.find(({ model }) => model === 'spread')?.problem).toMatch(
      'spread_far',
    );
  });
});

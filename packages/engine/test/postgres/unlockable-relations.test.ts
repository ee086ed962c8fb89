import { beforeAll, expect, it } from 'vitest';

import { type Acceleration, type Engine, EVERYTHING } from '../../src/index.ts';
import { exported } from '../exported.ts';
import { open } from '../open.ts';
import { describePostgres, urlOf, usePostgres } from './server.ts';

const ROWS = 3000;

/** `reader` may read each of these, and lock none of them. */
const SQL = `
  create role reader login; create role owner;
  create table kept (id int primary key, n int not null, secret text);
  insert into kept select id, id % 7, 'secret' from generate_series(1, ${ROWS}) as id;
  create table columns as select * from kept; alter table columns add primary key (id);
  grant select (id, n) on columns to reader;
  create table base as select * from kept;
  grant select (id, n) on base to owner;
  grant create on schema public to owner;
  set role owner;
  create view seen as select id, n from base; grant select on seen to reader;
  create view above as select id, n from seen; grant select on above to reader;
  reset role;
  create view invoked with (security_invoker) as select id, n from columns;
  create materialized view stored as select id, n from kept; create unique index on stored (id);
  create view over_stored as select id, n from stored;
  create table open_table as select id, n from kept;
  create view plain as select id, n from open_table;
  grant select on invoked, stored, over_stored, open_table, plain to reader;`;

const VERSIONED = ['columns', 'seen', 'above', 'invoked', 'stored'];
const UNLOCKABLE = [...VERSIONED, 'over_stored'];

async function read(engine: Engine, model: string, page: object) {
  const body = { query_model: model, query_attributes: ['id'], page: { size: 10, ...page } };
  const { result, page: metadata } = await engine.query(body, EVERYTHING);
  return { first: (JSON.parse(result) as { id: number }[])[0]?.id, total: metadata.total };
}

describePostgres('a relation of PostgreSQL that a role may read and not lock', () => {
  const postgres = usePostgres({ sql: SQL });
  const openWith = (acceleration: Partial<Acceleration>): Promise<Engine> => {
    const models = Object.fromEntries(
      [...UNLOCKABLE, 'plain'].map((name) => [name, { key: ['id'] }]),
    );
    return open(urlOf(postgres(), 'reader'), { models, acceleration });
  };
  /** It knows nothing from one read to the next. */
  let engine: Engine;
  beforeAll(async () => {
    engine = await openWith({ totalCache: false, replyCache: false });
  });

  it('is known by the rights of whoever reads what is below it', () => {
    const { catalogue } = engine;
    const seen = UNLOCKABLE.map((name) => catalogue.get(name)?.snapshots);
    expect(seen).toEqual(UNLOCKABLE.map(() => false));
    expect(catalogue.get('plain')?.snapshots).toBe(true);
  });

  it.each(UNLOCKABLE)('has pages near the beginning, deep ones and others: %s', async (model) => {
    const total = String(ROWS);
    expect(await read(engine, model, { page: 1 })).toEqual({ first: 1, total });
    expect(await read(engine, model, { page: 290 })).toEqual({ first: 2891, total });
    expect(await read(engine, model, { page: 301 })).toEqual({ first: undefined, total });
    expect(await read(engine, model, { containing: { id: 2505 } })).toEqual({ first: 2501, total });
  });

  it.each(UNLOCKABLE)('has facets, and can be exported: %s', async (model) => {
    const query_facets = [{ attribute: 'id', bins: 3 }];
    const { json } = await engine.facets({ query_model: model, query_facets }, EVERYTHING);
    expect(JSON.parse(json)).toMatchObject({ total: String(ROWS) });
    expect((await exported(engine, { model })).total).toBe(BigInt(ROWS));
  });

  it('has page indexes where it has versions', async () => {
    const keeping = await openWith({ pageIndexMinOffset: 20, replyCache: false });
    const built = () => keeping.indexBuilds().ended;
    for (const [index, model] of VERSIONED.entries()) {
      await expect
        .poll(
          async () => {
            await read(keeping, model, { page: 200 });
            return built();
          },
          { timeout: 30_000 },
        )
        .toMatchObject({ built: index + 1, failed: 0 });
    }
  });
});

import { type Acceleration, type Engine, EVERYTHING } from '@proj/engine';
import { eachNth } from '@proj/test-servers';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { exported } from '../exported.ts';
import { open } from '../open.ts';
import { outcome } from '../outcome.ts';
import { urlOf, usePostgres, useTwin } from './server.ts';
import { startStatementRouter } from './statement-router.ts';

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

describe('a relation of PostgreSQL that a role may read and not lock', () => {
  const postgres = usePostgres(SQL);
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
        .poll(async () => {
          await read(keeping, model, { page: 200 });
          return built();
        })
        .toMatchObject({ built: index + 1, failed: 0 });
    }
  });
});

/** `reader` may read and lock all of these, until that changes. */
/** Roles are of the whole server, where the tests above have made the first. */
const role = (name: string): string =>
  `do $$ begin create role ${name} login; exception when duplicate_object then null; end $$;`;

const LOCKABLE = `
  ${role('reader')} ${role('owner')}
  create table base as select id, id % 7 as n from generate_series(1, ${ROWS}) as id;
  create table direct as select * from base; alter table direct add primary key (id);
  create view invoked with (security_invoker) as select id, n from direct;
  grant create on schema public to owner; grant select on base to owner;
  set role owner;
  create view seen as select id, n from base;
  create view above as select id, n from seen; grant select on above to reader;
  reset role;
  grant select on direct, invoked to reader;`;

const COLUMNS_OF_DIRECT =
  'revoke select on direct from reader; grant select (id, n) on direct to reader';

/** What happens to rights after the start, with what is answered then. */
const LATER = [
  ['direct', 'whoever reads it keeps columns', COLUMNS_OF_DIRECT, 'answered'],
  ['invoked', 'whoever reads it keeps columns of the table below', COLUMNS_OF_DIRECT, 'answered'],
  [
    'above',
    'the owner of the view below keeps columns of the table',
    'revoke select on base from owner; grant select (id, n) on base to owner',
    'answered',
  ],
  [
    'above',
    'the owner of the view below keeps nothing',
    'revoke select on base from owner',
    'model_unreadable',
  ],
  [
    'invoked',
    'whoever reads it keeps nothing of the table below',
    'revoke select on direct from reader',
    'model_unreadable',
  ],
] as const;

const RESTORED = `revoke select on base from owner; revoke select on direct from reader;
  grant select on base to owner; grant select on direct to reader`;

/** What a model is asked, with the answers that are right. */
const QUESTIONS = {
  'a page': async (engine: Engine, model: string) =>
    expect(await read(engine, model, { page: 3 })).toEqual({ first: 21, total: String(ROWS) }),
  'a deep page': async (engine: Engine, model: string) =>
    expect(await read(engine, model, { page: 290 })).toEqual({ first: 2891, total: String(ROWS) }),
  'the page of a record': async (engine: Engine, model: string) =>
    expect(await read(engine, model, { containing: { id: 2505 } })).toMatchObject({ first: 2501 }),
  'an export': async (engine: Engine, model: string) =>
    expect((await exported(engine, { model })).records).toHaveLength(ROWS),
  facets: async (engine: Engine, model: string) => {
    const query_facets = [{ attribute: 'id', bins: 3 }];
    const { json } = await engine.facets({ query_model: model, query_facets }, EVERYTHING);
    expect(JSON.parse(json)).toMatchObject({ total: String(ROWS) });
  },
};

/** Each question after some of the changes. */
const ASKED = eachNth(
  3,
  LATER.flatMap(([, change]) => Object.entries(QUESTIONS).map((asked) => [change, asked] as const)),
);

async function openReader(url: string): Promise<Engine> {
  const models = Object.fromEntries(['invoked', 'above'].map((name) => [name, { key: ['id'] }]));
  const engine = await open(url, {
    models,
    acceleration: { totalCache: false, replyCache: false },
  });
  onTestFinished(() => engine.close());
  return engine;
}

describe('a relation of PostgreSQL of which a lock is refused after the start', () => {
  const postgres = usePostgres(LOCKABLE);
  const other = useTwin(postgres, LOCKABLE);

  it.each(LATER)(
    'is answered for as the rights are then: %s, where %s',
    async (model, change, sql, expected) => {
      await postgres().client(RESTORED);
      // Each meets the change by itself: an engine reads the catalogue again after the first.
      const asked = ASKED.filter(([of]) => of === change).map(async ([, [name, question]]) => {
        const engine = await openReader(urlOf(postgres(), 'reader'));
        expect(engine.catalogue.get(model)?.snapshots).toBe(true);
        return async () => [name, await outcome(question(engine, model))];
      });
      const questions = await Promise.all(asked);
      await postgres().client(sql);
      const answers = await Promise.all(questions.map((question) => question()));
      expect(answers).toEqual(answers.map(([name]) => [name, expected]));
    },
  );

  it('is answered right or not at all where other servers refuse the lock that a router sends them', async () => {
    await postgres().client(RESTORED);
    await other().client('revoke select on direct from reader');
    // Three in a row are as often as a query is tried.
    const servers = [postgres(), other(), other(), other()].map(({ url }) => url);
    const router = await startStatementRouter(servers, (text) => text.startsWith('lock table'));
    onTestFinished(() => router.close());
    const engine = await openReader(router.url.replace('postgres@', 'reader@'));
    expect(engine.catalogue.get('direct')?.snapshots).toBe(true);
    const answers = new Set<string>();
    for (const question of Object.values(QUESTIONS))
      answers.add(await outcome(question(engine, 'direct')));
    expect([...answers].toSorted()).toEqual(['answered', 'model_unreadable']);
  });
});

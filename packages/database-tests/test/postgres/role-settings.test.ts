import { EVERYTHING } from '@proj/engine';
import { describe, expect, it, onTestFinished } from 'vitest';

import { CommandConnection } from '../../../postgres/src/feed/protocol/commands.ts';
import { FEED_SETTINGS } from '../../../postgres/src/connection/session.ts';
import { MARKER, RELIED_SETTINGS } from '../../../postgres/src/connection/settings.ts';
import { ask, open } from '../open.ts';
import { connect, openSource, read, untilLocked, urlOf, usePostgres } from './server.ts';

/** What an administrator may have given a role, for each setting that we rely on. */
const ODD: Readonly<Record<string, string>> = {
  lock_timeout: '1h',
  client_connection_check_interval: '0',
  jit: 'on',
  row_security: 'off',
  gin_fuzzy_search_limit: '1',
  transform_null_equals: 'on',
  array_nulls: 'off',
  quote_all_identifiers: 'on',
  client_encoding: 'LATIN1',
  timezone: 'Asia/Kathmandu',
  datestyle: 'German',
  intervalstyle: 'iso_8601',
  extra_float_digits: '0',
  bytea_output: 'escape',
  standard_conforming_strings: 'off',
  backslash_quote: 'off',
  exit_on_error: 'on',
  role: 'lent',
  search_path: 'app, public',
  lc_monetary: 'POSIX',
  lc_numeric: 'POSIX',
  lc_time: 'POSIX',
  default_text_search_config: 'pg_catalog.simple',
  timezone_abbreviations: 'India',
  xmlbinary: 'hex',
  xmloption: 'document',
  default_transaction_isolation: 'serializable',
  default_transaction_read_only: 'off',
};

/** As the server writes what was set. */
const SHOWN = new Map([
  ['lock_timeout', '2s'],
  ['client_connection_check_interval', '1s'],
  ['session_authorization', 'odd'],
]);

const given = Object.entries(ODD).map(([name, value]) => {
  const text = name === 'search_path' ? value : `'${value}'`;
  return `alter role odd set ${name} = ${text};`;
});

const SQL = `
  create role lent; create role odd login in role lent; ${given.join('\n')}
  create role early login; 
  do $$ begin
    execute format($set$alter role early in database %I
      set default_transaction_isolation = 'repeatable read'$set$, current_database());
  end $$;
  create schema app;
  create table refilled (id int primary key, note text); insert into refilled values (1, 'old'), (2, 'old');
  create table tagged (id int primary key, tags text[]); insert into tagged select n, array['all'] from generate_series(1, 30000) n;
  create index on tagged using gin (tags); analyze tagged;
  create view chosen as select id from tagged where tags @> array['all'];
  create role fuzzy login; alter role fuzzy set gin_fuzzy_search_limit = 10; alter role fuzzy set enable_seqscan = off;
  create function app.octet_length(text) returns int language sql immutable as 'select 2147483647';
  create role shadowed login; alter role shadowed set search_path = app, public, pg_catalog;
  create function quoted() returns text language plpgsql as $$ begin return E'it\\'s'; end $$;
  create function caught() returns text language plpgsql as $$
    begin perform 1 / 0; exception when others then return 'caught'; end $$;
  create view spoken as select 1 as id, quoted() as quoted, caught() as caught;
  create role strict login; alter role strict set backslash_quote = off; alter role strict set exit_on_error = on;
  create role careless login; alter role careless set zero_damaged_pages = on;
  grant usage on schema app to public; grant select on all tables in schema public to public;`;

const POOLERS = ['none', 'transaction'] as const;

describe('an engine as a role of PostgreSQL that has settings of its own', () => {
  const postgres = usePostgres(SQL);
  const REPLY = { text: '[{"id":3},{"id":4}]', page: { total: '2' } };
  const facets = [{ attribute: 'note', values: 10 }];
  it.each(POOLERS)(
    'shows what a transaction left that empties and fills a table, where the role has an early snapshot, with pooler: %s',
    async (pooler) => {
      await postgres().client(`truncate refilled; insert into refilled values (1, 'old')`);
      const engine = await open(urlOf(postgres(), 'early'), { pooler });
      // Both connections are open before somebody waits for a lock, which is not for long.
      await Promise.all(
        [1, 2].map((page) => ask(engine, { model: 'tagged', attributes: ['id'], page })),
      );
      const writer = await connect(postgres().url);
      await writer.query(
        `begin; truncate refilled; insert into refilled values (3, 'a'), (4, 'a')`,
      );
      const page = ask(engine, { model: 'refilled', attributes: ['id'] });
      const counted = engine.facets({ query_model: 'refilled', query_facets: facets }, EVERYTHING);
      await untilLocked(writer, 2);
      await writer.query('commit');
      expect(await page).toMatchObject(REPLY);
      expect((await counted).json).toContain('"total":"2"');
    },
  );

  it.each(POOLERS)(
    'shows all rows that an index finds where the role has a limit of these, with pooler: %s',
    async (pooler) => {
      const engine = await open(urlOf(postgres(), 'fuzzy'), {
        pooler,
        models: { chosen: { key: ['id'] } },
      });
      const { records, page } = await ask(engine, {
        model: 'chosen',
        attributes: ['id'],
        size: 100,
      });
      expect([records.length, page.total]).toEqual([100, '30000']);
    },
  );

  it.each(POOLERS)(
    'calls the functions of PostgreSQL where the role has a path to others first, with pooler: %s',
    async (pooler) => {
      const engine = await open(urlOf(postgres(), 'shadowed'), { pooler });
      const { records } = await ask(engine, {
        model: 'public.tagged',
        attributes: ['id'],
        size: 2,
      });
      expect(records).toEqual([{ id: 1 }, { id: 2 }]);
    },
  );

  it.each(POOLERS)(
    'shows what functions make of quotes and errors where the role refuses both, with pooler: %s',
    async (pooler) => {
      const models = { spoken: { key: ['id'] } };
      const engine = await open(urlOf(postgres(), 'strict'), { pooler, models });
      const { records } = await ask(engine, { model: 'spoken', attributes: ['quoted', 'caught'] });
      expect(records).toEqual([{ quoted: `it's`, caught: 'caught' }]);
    },
  );

  it.each(POOLERS)('has every setting as it needs it, with pooler: %s', async (pooler) => {
    const source = await openSource(urlOf(postgres(), 'odd'), { pooler });
    for (const { name, value, place } of RELIED_SETTINGS) {
      if (name === MARKER || (place === 'own session' && pooler === 'transaction')) continue;
      const found = await read(source, `select current_setting('${name}'), 1`);
      const expected = SHOWN.get(name) ?? value ?? ODD[name];
      expect([name, found.replaceAll('"', '')]).toEqual([name, expected]);
    }
    expect(await read(source, `select current_setting('transaction_read_only'), 1`)).toBe('on');
  });

  it('warns of settings of the role by which rows are left out, or values silently wrong', async () => {
    const source = await openSource(urlOf(postgres(), 'careless'));
    expect(await source.warnings?.()).toEqual([
      'Replies may silently lack rows or hold wrong values: zero_damaged_pages is on. ' +
        'Give the role of the service what PostgreSQL has by default.',
    ]);
  });

  it('follows changes with the settings that it needs', async () => {
    const commands = new CommandConnection({ connectionString: urlOf(postgres(), 'odd') });
    await commands.connect();
    onTestFinished(() => commands.destroy());
    for (const [name, value] of FEED_SETTINGS) {
      const [found] = await commands.ask({
        sql: `select current_setting('${name}')`,
        parameters: [],
      });
      expect([name, found]).toEqual([name, value]);
    }
    const isolation = { sql: 'show transaction_isolation', parameters: [] };
    expect(await commands.ask(isolation)).toEqual(['read committed']);
  });
});

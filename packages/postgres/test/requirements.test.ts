import type { Statement } from '@proj/engine/database';
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';

import type { FeedFacts, TableFacts } from '../src/feed/setup/requirements.ts';
import {
  DEFAULT_PUBLICATION,
  feedFactsOf,
  feedRequirements,
  SERVER_INSTANCE,
} from '../src/feed/setup/requirements.ts';
import { urlOf, useOwnPostgres } from './server.ts';

const SQL = `
  create schema shop;
  create table shop.orders (id int primary key, note text);
  create table shop.unique_only (a int not null, b int not null, constraint "Both" unique (a, b));
  create table shop.chosen (a int not null unique);
  alter table shop.chosen replica identity using index chosen_a_key;
  create table shop.whole (a int);
  alter table shop.whole replica identity full;
  create table shop.muted (id int primary key);
  alter table shop.muted replica identity nothing;
  create table shop.deferred (id int primary key deferrable);
  create table shop.named (id int primary key, what regclass[]);
  create table shop.computed (a int, b int generated always as (a + 1) stored primary key);
  create unlogged table shop."Drafts" (id int primary key);
  create view shop.seen as select * from shop.orders;
  create table shop.parent (id int primary key);
  create table shop.child (more int) inherits (shop.parent);
  create table shop.events (at date not null, id int not null, primary key (at, id))
    partition by range (at);
  create table shop.events_1 partition of shop.events default;
  create role follower login replication;
  create role owner login;
    insert into shop.orders select n, '' from generate_series(1, 1000) n; analyze shop.orders`;

describe('what PostgreSQL says of following its changes', () => {
  // As in the sessions that ask this.
  const postgres = useOwnPostgres({ settings: { jit: 'off' }, sql: SQL });

  async function ask(statement: Statement, login = 'postgres'): Promise<(string | null)[]> {
    const client = new Client({ connectionString: urlOf(postgres(), login) });
    await client.connect();
    const { rows } = await client.query<string[]>({
      text: statement.sql,
      values: [...statement.parameters],
      rowMode: 'array',
    });
    await client.end();
    return rows[0] ?? [];
  }

  async function factsOf(names: readonly string[], login = 'postgres'): Promise<FeedFacts> {
    const paths = names.map((name) => ['shop', name]);
    return feedFactsOf(await ask(feedRequirements(DEFAULT_PUBLICATION, paths), login));
  }

  async function tableFacts(name: string): Promise<TableFacts | undefined> {
    const { relations } = await factsOf([name]);
    return relations[0]?.tables[0];
  }

  it('has the settings of the server, and whether the role may replicate', async () => {
    const { server, role, publication } = await factsOf([], 'follower');
    expect(server).toMatchObject({
      version: expect.any(Number),
      isStandby: false,
      walLevel: 'replica',
      replicationSlots: { used: 0, max: 10 },
      walSenders: { used: 0, max: 10 },
      maxSlotWalKeepSize: '-1',
      walSenderTimeout: '1min',
    });
    expect([server.instance]).toEqual(await ask(SERVER_INSTANCE));
    expect(role).toEqual({ name: 'follower', mayReplicate: true });
    expect((await factsOf([], 'owner')).role.mayReplicate).toBe(false);
    expect(publication).toBeNull();
  });

  it.each([
    ['orders', { identity: 'key', candidate: 'orders_pkey', obstacle: null }],
    ['unique_only', { identity: null, candidate: '"Both"', obstacle: null }],
    ['chosen', { identity: 'index' }],
    ['whole', { identity: 'full', candidate: null }],
    ['muted', { identity: null, candidate: 'muted_pkey' }],
    ['deferred', { identity: null, candidate: null }],
    ['computed', { identity: null, candidate: null }],
    ['Drafts', { name: 'shop."Drafts"', obstacle: 'unlogged' }],
    ['named', { obstacle: 'shown_names' }],
    ['seen', { kind: 'view', obstacle: 'view' }],
  ])('says what identifies the rows of %s', async (name, facts) => {
    expect(await tableFacts(name)).toMatchObject(facts);
  });

  it('lists the tables that hold the rows of a relation, and how many rows are expected', async () => {
    const { relations } = await factsOf(['orders', 'events', 'parent', 'absent']);
    const found = relations.map(({ path, estimatedRows, tables }) => [
      path.join('.'),
      estimatedRows,
      tables.map(({ name, kind, identity, hasChildren }) => [name, kind, identity, hasChildren]),
    ]);
    expect(found).toEqual([
      [
        'shop.events',
        0,
        [
          ['shop.events', 'partitioned', 'key', true],
          ['shop.events_1', 'table', 'key', false],
        ],
      ],
      ['shop.orders', 1000, [['shop.orders', 'table', 'key', false]]],
      [
        'shop.parent',
        0,
        [
          ['shop.child', 'table', null, false],
          ['shop.parent', 'table', 'key', true],
        ],
      ],
    ]);
  });

  it('shows how a publication keeps changes back', async () => {
    await postgres().client(`
      create publication dynamic_query for table shop.orders (id), shop.unique_only, shop.events,
        shop.muted where (id > 0)
        with (publish = 'insert, update')`);
    const { publication, relations } = await factsOf(['orders', 'events', 'muted']);
    expect(publication).toEqual({
      owner: 'postgres',
      isOpen: false,
      missingOperations: ['delete', 'truncate'],
      viaPartitionRoot: false,
      unidentified: [
        { name: 'shop.muted', isNamed: true },
        { name: 'shop.unique_only', isNamed: true },
      ],
    });
    const tables = relations.flatMap((relation) => relation.tables);
    const published = tables
      .filter(({ isPublished }) => isPublished)
      .map(({ name, hasColumnList, hasRowFilter }) => [name, hasColumnList, hasRowFilter]);
    expect(published).toEqual([
      ['shop.events_1', false, false],
      ['shop.muted', false, true],
      ['shop.orders', true, false],
    ]);
    await postgres().client('drop publication dynamic_query');
  });

  it('distinguishes a publication whose tables are not named from one that names them', async () => {
    await postgres().client(`
      create publication dynamic_query for tables in schema shop
        with (publish_via_partition_root = true)`);
    const { publication } = await factsOf([]);
    expect(publication).toMatchObject({ isOpen: true, viaPartitionRoot: true });
    await postgres().client('drop publication dynamic_query');
  });
});

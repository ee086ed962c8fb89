import { beforeAll, expect, it } from 'vitest';

import type { Relation } from '../../../engine/src/catalogue/relation.ts';
import { openMysql } from '../../../mysql/src/source.ts';
import { describeMariadb, useMariadb } from './mariadb.ts';

const TABLES = `
  create table city (id int primary key, name varchar(50) not null comment 'as it is called', note text) comment 'where people live';
  create table doubled (a int, b int not null, g int as (b * 2) stored, v int as (b + 1) virtual, primary key (a));
  create table two_keys (a int not null, b int not null, c int not null, id int not null, unique (a, b, c), unique (a, b), primary key (id));
  create table only_unique (code varchar(10) not null, wide varchar(10) not null, unique (wide, code), unique (code));
  create table nullable_unique (code varchar(10), unique (code));
  create table prefix_unique (code text not null, unique (code(10)));
  create table long_unique (code text not null, unique (code));
  create table ignored_unique (id int primary key, code int not null, unique code (code) ignored);
  create table no_key (a int);
  create table typed (
    id int primary key, truth boolean, whole tinyint unsigned, big int unsigned, label enum('a', 'b'), tags set('a', 'b'), doc json,
    checked longtext check (json_valid(checked)), other_check longtext check (length(other_check) > 1), bits bit(3), flag bit(1), u uuid,
    legacy varchar(20) character set latin1 collate latin1_german2_ci, moment timestamp null, day date, hidden int invisible
  );
  create table versioned (id int primary key, name varchar(10)) with system versioning;
  create table period (id int not null, s date, e date, period for p (s, e), unique (id, p without overlaps));
  create table plain_csv (id int not null) engine = csv;
  create table part (id int primary key) engine = myisam;
  create table merged (id int primary key) engine = merge union = (part);
  create view over_merged as select * from merged;
  create view over_over_merged as select * from over_merged;
  create table isam (id int primary key) engine = myisam;
  create table aria (id int primary key) engine = aria;
  create table memory (id int primary key) engine = memory;
  create sequence counting;
  create view named as select id, name from city;
  create table gone (id int);
  create view broken as select id from gone;
  drop table gone;
  create database elsewhere;
  create table elsewhere.secret (id int primary key);
  create table elsewhere.outer_csv (id int not null) engine = csv;
  create view over_outer as select * from elsewhere.outer_csv;`;

describeMariadb('the catalogue of a MariaDB database', () => {
  const mariadb = useMariadb(TABLES);
  let relations: Map<string, Relation>;

  beforeAll(async () => {
    const source = await openMysql(mariadb().url);
    relations = new Map((await source.introspect()).map((relation) => [relation.name, relation]));
    await source.close();
  });

  const placeOf = (name: string): string | undefined => relations.get(name)?.distributed;

  it('keeps comments, nullability and the order of columns', () => {
    expect(relations.get('city')).toMatchObject({
      path: ['city'],
      snapshots: true,
      name: 'city',
      kind: 'table',
      description: 'where people live',
      keys: [[{ column: 'id' }]],
      columns: [
        { name: 'id', databaseType: 'int(11)', type: 'int32', nullable: false, description: null },
        {
          name: 'name',
          databaseType: 'varchar(50)',
          type: 'text',
          nullable: false,
          description: 'as it is called',
        },
        { name: 'note', databaseType: 'text', type: 'text', nullable: true, description: null },
      ],
    });
  });

  it('shows generated columns', () => {
    expect(relations.get('doubled')?.columns.map(({ name }) => name)).toEqual(['a', 'b', 'g', 'v']);
  });

  it.each([
    ['two_keys', [['id'], ['a', 'b'], ['a', 'b', 'c']]],
    ['only_unique', [['code'], ['wide', 'code']]],
    ['nullable_unique', []],
    ['prefix_unique', []],
    ['long_unique', []],
    ['ignored_unique', [['id']]],
    ['no_key', []],
    ['named', [['id']]],
    ['versioned', [['id']]],
    ['period', [['id', 'e', 's']]],
  ])('knows the keys of %s', (name, keys) => {
    expect(relations.get(name)?.keys.map((key) => key.map(({ column }) => column))).toEqual(keys);
  });

  it.each([
    ['nullable_unique', 'nullable'],
    ['prefix_unique', 'prefix'],
    ['long_unique', 'unbounded'],
  ])('says of %s why its unique index is no key', (name, why) => {
    expect(relations.get(name)?.nearKey).toEqual({ why, columns: ['code'] });
  });

  it('gives each column its wire type', () => {
    const types = relations.get('typed')?.columns.map(({ name, type }) => `${name}: ${type}`);
    expect(types).toEqual([
      'id: int32',
      'truth: boolean',
      'whole: int32',
      'big: int64',
      'label: enum',
      'tags: other',
      'doc: json',
      'checked: json',
      'other_check: text',
      'bits: other',
      'flag: boolean',
      'u: uuid',
      'legacy: text',
      'moment: timestamp_tz',
      'day: date',
      'hidden: int32',
    ]);
  });

  it('names the collation of a column that is not in UTF-8', () => {
    const legacy = relations.get('typed')?.columns.find(({ name }) => name === 'legacy');
    expect(legacy?.databaseType).toBe('varchar(20) collate latin1_german2_ci');
  });

  it('says which storage engine promises no state of the rows, also of what a view reads', () => {
    const problem = 'does not promise one state of the data.';
    expect(placeOf('plain_csv')).toBe(`Its storage engine CSV ${problem}`);
    expect(placeOf('merged')).toBe(`Its storage engine MRG_MyISAM ${problem}`);
    for (const view of ['over_merged', 'over_over_merged'])
      expect(placeOf(view)).toBe(
        `The storage engine MRG_MyISAM of merged, which it reads, ${problem}`,
      );
    expect(placeOf('over_outer')).toBe(
      `The storage engine CSV of outer_csv, which it reads, ${problem}`,
    );
    for (const name of ['isam', 'aria', 'memory', 'city', 'named'])
      expect(relations.get(name)).not.toHaveProperty('distributed');
  });

  it('says of a broken view that it is broken', () => {
    expect(relations.get('broken')?.unusable).toMatch(/refers to something that does not exist/);
    expect(relations.get('named')).toMatchObject({ kind: 'view', description: null });
  });

  it('leaves out sequences and other databases', () => {
    expect([...relations.keys()]).not.toEqual(expect.arrayContaining(['counting']));
    expect([...relations.keys()]).not.toEqual(expect.arrayContaining(['secret']));
  });

  it('is read whole for 300 tables', async () => {
    const tables = Array.from(
      { length: 300 },
      (_, index) =>
        `create table elsewhere.many_${index} (id int primary key, a int, b text, c json) engine = myisam;`,
    );
    await mariadb().client(tables.join('\n'));
    const source = await openMysql(mariadb().url.replace(/\w+$/, 'elsewhere'));
    await source.ping();
    expect(await source.introspect()).toHaveLength(302);
    await source.close();
  });
});

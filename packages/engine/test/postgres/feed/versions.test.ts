import { expect, it } from 'vitest';

import { describePostgres } from '../server.ts';
import {
  followedVersion,
  readAll,
  readFollowed,
  RELATION_VERSION,
  useFollowed,
} from './followed.ts';
import { Writers } from './writers.ts';

const SQL = `
  create table one (id int primary key, note text);
  create table two (id int primary key, note text);
  create table parts (id int primary key, note text) partition by range (id);
  create table parts_low partition of parts for values from (minvalue) to (20);
  create table parts_high partition of parts for values from (20) to (maxvalue)
    partition by range (id);
  create table parts_highest partition of parts_high default;
  create table parent (id int primary key, note text);
  create table child (id int primary key, more int) inherits (parent);
  insert into one select n, 'old' from generate_series(1, 30) n;
  insert into two select n, 'old' from generate_series(1, 30) n;
  insert into parts select n, 'old' from generate_series(1, 30) n;
  insert into parent select n, 'old' from generate_series(1, 30) n;
  create publication dynamic_query for table one, two, parts, parent`;

const ONE = ['public', 'one'];
const TWO = ['public', 'two'];
const RELATIONS = [ONE, TWO, ['public', 'parts'], ['public', 'parent']];

describePostgres('the version of a followed relation', () => {
  const followed = useFollowed(SQL);

  it('stays as it is while another relation is written', async () => {
    const { source, sql } = followed();
    const [one, two] = [await readFollowed(source, ONE), await readFollowed(source, TWO)];
    await sql.query(`update two set note = 'new' where id = 1`);
    expect(await readFollowed(source, ONE)).toEqual(one);
    expect(await followedVersion(source, ONE)).toBe(one.version);
    const written = await readFollowed(source, TWO);
    expect(written.version).not.toBe(two.version);
    expect(await followedVersion(source, TWO)).toBe(written.version);
  });

  it('is never that of other data, whatever is written meanwhile', async () => {
    const { source, server } = followed();
    await Promise.all(RELATIONS.map((relation) => readFollowed(source, relation)));
    const tables = ['one', 'two', 'parts', 'parts_highest', 'parent', 'child'];
    const writers = new Writers(server.url, tables, 6);
    const texts = new Map<string, string>();
    let known = 0;
    try {
      for (let turn = 0; turn < 150; turn++) {
        const seen = await Promise.all(RELATIONS.map((relation) => readAll(source, relation)));
        for (const { text, version } of seen) {
          if (version === undefined || !RELATION_VERSION.test(version)) continue;
          known += 1;
          expect(texts.get(version) ?? text).toBe(text);
          texts.set(version, text);
        }
      }
    } finally {
      await writers.stop();
    }
    expect(known).toBeGreaterThan(100);
  });
});

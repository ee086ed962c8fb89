import type { Engine } from '@proj/engine';
import { workerPostgres } from '@proj/test-servers';
import { beforeAll, describe, expect, it } from 'vitest';

import { askFacets, checkValues } from '../databases/checked-facets.ts';
import { idsOf } from '../lists.ts';
import { open } from '../open.ts';
import { urlOf, usePostgres } from './server.ts';

/** The texts of each column, whose number is the row's id. */
const TEXTS = ['Ärger', 'ärger', 'ARGER', '50%', '500', 'a_b', 'axb', 'a\\b', 'ab'];

const SQL = `set client_encoding = 'UTF8';
  create extension citext;
  create collation blind (provider = icu, locale = 'und-u-ks-level1', deterministic = false);
  create table texts (id int primary key, plain text, turkish text collate "tr-x-icu", blind text collate blind, ci citext, fixed char(8), short name);
  insert into texts select place, t, t, t, t, t, t
    from unnest(array[${TEXTS.map((text) => `'${text}'`).join(', ')}]) with ordinality as all_texts (t, place);
  insert into texts values (99);
  create table repeated (like texts, primary key (id));
  insert into repeated
    select id * 10 + copy, plain, turkish, blind, ci, fixed, short
    from texts, generate_series(1, 1 + id % 3) as copies (copy);`;

const COLUMNS = ['plain', 'blind', 'ci', 'fixed', 'short'];

describe('a filter over texts of PostgreSQL', () => {
  const postgres = usePostgres(SQL);
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(postgres().url);
  });

  async function found(attribute: string, op: string, value: unknown): Promise<string[]> {
    const ids = await idsOf(engine, 'texts', { attribute, op, value });
    return ids.map((id) => TEXTS[id - 1] ?? 'NULL');
  }

  it.each(COLUMNS)('compares byte for byte in column %s', async (column) => {
    expect(await found(column, 'eq', 'ärger')).toEqual(['ärger']);
    expect(await found(column, 'in', ['ÄRGER', 'ARGER', '500'])).toEqual(['ARGER', '500']);
    expect(await found(column, 'ne', 'ärger')).toEqual(TEXTS.filter((text) => text !== 'ärger'));
    expect(await found(column, 'not_in', ['ärger', 'ab'])).toEqual(
      TEXTS.filter((text) => text !== 'ärger' && text !== 'ab'),
    );
    expect(await found(column, 'is_distinct', 'ärger')).toEqual([
      ...TEXTS.filter((text) => text !== 'ärger'),
      'NULL',
    ]);
    expect(await found(column, 'eq', 'ab ')).toEqual([]);
  });

  it.each([...COLUMNS, 'turkish'])('finds what facets count in column %s', async (column) => {
    const facets = [{ attribute: column, values: 1000 }];
    const reply = await askFacets(engine, { model: 'repeated', facets });
    for (const facet of reply.facets) {
      const counted = facet.values?.map(({ value, count }) => `${String(value)} ${count}`);
      const byBytes = `select ${column}::text collate "C" || ' ' || count(*) from repeated`;
      const own = await postgres().client(
        `${byBytes} where ${column} is not null group by ${column}::text collate "C"`,
      );
      expect(counted?.toSorted()).toEqual(own.split('\n').toSorted());
      await checkValues({ engine, model: 'repeated' }, facet, 'text');
    }
    expect(reply.facets[0]?.distinct).toBe(String(TEXTS.length));
  });

  it.each(COLUMNS)('takes wildcards for what they are in column %s', async (column) => {
    expect(await found(column, 'starts_with', '50%')).toEqual(['50%']);
    expect(await found(column, 'ends_with', '%')).toEqual(['50%']);
    expect(await found(column, 'contains', '_')).toEqual(['a_b']);
    expect(await found(column, 'contains', '\\')).toEqual(['a\\b']);
    expect(await found(column, 'icontains', 'A_')).toEqual(['a_b']);
    expect(await found(column, 'ieq', 'A_B')).toEqual(['a_b']);
    expect(await found(column, 'iends_with', '\\B')).toEqual(['a\\b']);
    expect(await found(column, 'contains', 'rg')).toEqual(['Ärger', 'ärger']);
  });

  it.each(COLUMNS.filter((column) => column !== 'short'))(
    'finds every letter case in column %s',
    async (column) => {
      expect(await found(column, 'istarts_with', 'äRG')).toEqual(['Ärger', 'ärger']);
      expect(await found(column, 'icontains', 'RGER')).toEqual(['Ärger', 'ärger', 'ARGER']);
      expect(await found(column, 'ieq', 'äRGER')).toEqual(['Ärger', 'ärger']);
    },
  );

  it('knows the cases of ASCII letters alone where the collation is "C"', async () => {
    for (const text of ['Ärger', 'ärger'])
      expect(await found('short', 'ieq', text)).toEqual([text]);
    expect(await found('short', 'ieq', 'äRGER')).toEqual(['ärger']);
    expect(await found('short', 'istarts_with', 'ÄR')).toEqual(['Ärger']);
    expect(await found('short', 'icontains', 'RGER')).toEqual(['Ärger', 'ärger', 'ARGER']);
  });

  it('follows the letter case of the column, also in a database whose own has ASCII letters only', async () => {
    const { major } = await workerPostgres();
    await postgres().client(
      `create database ascii template template0 locale 'C' ${major >= 15 ? 'locale_provider libc' : ''} encoding 'UTF8'`,
    );
    await postgres().client(`\\connect ascii\n${SQL}`);
    const ascii = await open(urlOf(postgres(), 'postgres', 'ascii'));
    for (const attribute of ['turkish', 'blind']) {
      const filter = { attribute, op: 'istarts_with', value: 'ÄR' };
      expect([attribute, await idsOf(ascii, 'texts', filter)]).toEqual([attribute, [1, 2]]);
    }
  });
});

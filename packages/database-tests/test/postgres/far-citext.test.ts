import { type Engine, EVERYTHING } from '@proj/engine';
import { beforeAll, describe, expect, it } from 'vitest';

import { open } from '../open.ts';
import { usePostgres } from './server.ts';

/** In the order of bytes all that begin with `A` would come first. */
const SQL = `
  create schema "Their own";
  create extension citext schema "Their own";
  create domain "Their own".address as "Their own".citext;
  create table mails (
    mail "Their own".citext collate "C" primary key, other "Their own".address collate "C", n int
  );
  insert into mails
    select case when n % 2 = 0 then 'Ab' else 'aB' end || lpad(n::text, 5, '0'), 'X' || n, n
    from generate_series(1, 5000) as n;
  analyze mails`;

describe('a citext of PostgreSQL whose schema the search path lacks', () => {
  const database = usePostgres(SQL);
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(database().url);
  });

  async function read(asked: object, page: object = { page: 1, size: 3 }) {
    const body = { query_model: 'mails', query_attributes: ['n'], page, ...asked };
    const answer = await engine.query(body, EVERYTHING);
    return { ...answer.page, records: JSON.parse(answer.result) as { n: number }[] };
  }

  async function total(op: string, value: unknown) {
    return (await read({ query_filter: { attribute: 'mail', op, value } })).total;
  }

  it('is paged in the order of its letters alone, from any side', async () => {
    for (const mail of ['mail', 'other'])
      for (const direction of ['asc', 'desc']) {
        const sort = { query_sort: [{ attribute: mail, direction }] };
        const first = await read(sort, { page: 1, size: 1000 });
        for (const number of [2, 3, 5, 4, 2, 5]) {
          const page = await read(sort, { page: number, size: 1000 });
          const { n = 0 } = page.records[500] ?? {};
          const containing = { mail: `${n % 2 === 0 ? 'Ab' : 'aB'}${String(n).padStart(5, '0')}` };
          const found = await read(sort, { containing, size: 1000 });
          expect([found.page, found.records]).toEqual([String(number), page.records]);
        }
        const last = mail === 'mail' ? 5000 : 999;
        expect(first.records[0]).toEqual({ n: direction === 'asc' ? 1 : last });
      }
  });

  it('is compared in any letter case, and equal as it is', async () => {
    expect(await total('lt', 'AB00101')).toBe('100');
    expect(await total('gte', 'ab00101')).toBe('4900');
    expect(await total('between', ['AB00101', 'ab00102'])).toBe('2');
    expect(await total('ieq', 'AB00101')).toBe('1');
    expect(await total('eq', 'AB00101')).toBe('0');
    expect(await total('eq', 'aB00101')).toBe('1');
  });

  it('has its ends, and its groups in its order', async () => {
    const facet = { attribute: 'mail', values: 2, sort: 'value' };
    const asked = { query_model: 'mails', query_facets: [facet] };
    const { json } = await engine.facets(asked, EVERYTHING);
    const { facets } = JSON.parse(json) as { facets: unknown };
    expect(facets).toMatchObject([
      { values: [{ value: 'aB00001' }, { value: 'Ab00002' }], min: 'aB00001', max: 'Ab05000' },
    ]);
    const groups = { query_groups: ['mail'], query_aggregates: [{ name: 'count', op: 'count' }] };
    const sort = [{ attribute: 'mail', direction: 'desc' }];
    const { records } = await read({ ...groups, query_attributes: ['mail'], query_sort: sort });
    expect(records).toEqual([{ mail: 'Ab05000' }, { mail: 'aB04999' }, { mail: 'Ab04998' }]);
  });
});

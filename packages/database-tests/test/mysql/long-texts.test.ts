import { EVERYTHING } from '@proj/engine';
import { expect, it } from 'vitest';

import { open } from '../open.ts';
import { CHECKED_MEMORY, describeMariadb, useOwnMariadb } from './mariadb.ts';

/** Parts of a page of a temporary table, and several pages. */
const LENGTHS = [0, 10, 4000, 8190, 8193, 9000, 20_000, 70_000, 200_000];

const ROWS = Array.from({ length: 150 }, (_, id) => {
  const letter = 'abcd'[id % 4];
  const text = `concat('v${id % 20}', repeat('${letter}', ${LENGTHS[id % LENGTHS.length]}))`;
  return `(${id}, ${id % 7 === 0 ? 'null' : text})`;
});

describeMariadb('long texts on MariaDB', () => {
  const mariadb = useOwnMariadb({
    ...CHECKED_MEMORY,
    sql: `create table essays (id int primary key, body longtext);
      insert into essays values ${ROWS.join()};`,
  });

  it('are in facets and do not end the server, whose windows write past the end of its memory where they add long texts to rows', async () => {
    const engine = await open(mariadb().url);
    const filter = { attribute: 'id', op: 'lt', value: 120 };
    const facets = [
      { attribute: 'body', values: 25, sort: 'value' },
      { attribute: 'body', values: 5, query_filter: filter },
    ];
    const request = { query_model: 'essays', query_facets: facets };
    const { json } = await engine.facets(request, EVERYTHING);
    const [all, filtered] = (JSON.parse(json) as { facets: unknown[] }).facets;
    expect(all).toMatchObject({ distinct: '128', nulls: '22', min: 'v0aaaaaaaaaa' });
    expect(filtered).toMatchObject({ nulls: '18', min: 'v0aaaaaaaaaa' });
    expect(await mariadb().client('select count(*) from essays')).toBe('150');
  });

  it('are groups of which each is on one page, however much they have in common', async () => {
    const engine = await open(mariadb().url);
    const ends = Array.from(
      { length: 40 },
      (_, id) => `(${id + 1000}, concat(repeat('x', 9000), '${id}'))`,
    );
    await mariadb().client(`insert into essays values ${ends.join()}`);
    const body = {
      query_model: 'essays',
      query_attributes: ['body', 'n'],
      query_groups: ['body'],
      query_aggregates: [{ name: 'n', op: 'count' }],
      query_filter: { attribute: 'id', op: 'gte', value: 1000 },
    };
    for (const query_sort of [
      [],
      [{ attribute: 'n' }],
      [{ attribute: 'body', direction: 'desc' }],
    ]) {
      const found = new Set<string>();
      for (let page = 1; page <= 8; page++) {
        const answer = await engine.query(
          { ...body, query_sort, page: { page, size: 5 } },
          EVERYTHING,
        );
        expect(String(answer.page.total)).toBe('40');
        for (const record of JSON.parse(answer.result) as { body: string }[])
          found.add(record.body);
      }
      expect(found.size).toBe(40);
    }
  });
});

import { afterAll, expect, it } from 'vitest';

import { EVERYTHING } from '../../src/index.ts';
import { closeOpened, open } from '../open.ts';
import { CHECKED_MEMORY, describeMariadb, useMariadb } from './mariadb.ts';

/** Parts of a page of a temporary table, and several pages. */
const LENGTHS = [0, 10, 4000, 8190, 8193, 9000, 20_000, 70_000, 200_000];

const ROWS = Array.from({ length: 150 }, (_, id) => {
  const letter = 'abcd'[id % 4];
  const text = `concat('v${id % 20}', repeat('${letter}', ${LENGTHS[id % LENGTHS.length]}))`;
  return `(${id}, ${id % 7 === 0 ? 'null' : text})`;
});

describeMariadb('facets of long texts on MariaDB', () => {
  const mariadb = useMariadb({
    ...CHECKED_MEMORY,
    sql: `create table essays (id int primary key, body longtext);
      insert into essays values ${ROWS.join()};`,
  });
  afterAll(closeOpened);

  it('do not end the server, whose windows write past the end of its memory where they add long texts to rows', async () => {
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
});

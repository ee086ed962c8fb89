import { expect, it } from 'vitest';

import { EVERYTHING } from '../../src/index.ts';
import { groupOf } from '../databases/groups/group-of.ts';
import { open } from '../open.ts';
import { outcome } from '../outcome.ts';
import { describeMariadb, useMariadb } from './mariadb.ts';

const [NINES_35, NINES_65] = ['9'.repeat(35), '9'.repeat(65)];

describeMariadb('sums of decimals on MariaDB', () => {
  const mariadb =
    useMariadb(`create table amounts (id int primary key, fine decimal(65, 30), finest decimal(65, 38),
        whole decimal(65, 0), part int default 1, cents decimal(10, 2), natural_ bigint unsigned,
        small double default 0.25, long_ decimal(60, 10) default 1${'0'.repeat(30)}.0000000001);
      insert into amounts (id, fine, finest, whole, cents, natural_) values
        (1, ${NINES_35}.5, ${'9'.repeat(27)}, ${NINES_65}, 1164.30, 18446744073709551615),
        (2, ${NINES_35}.75, 0.${'0'.repeat(37)}1, ${NINES_65}, 1164.30, 18446744073709551615),
        (3, -0.25, ${'9'.repeat(27)}, ${NINES_65}, null, null);`);

  it.each([
    [
      'fine',
      `1${'9'.repeat(34)}9.000000000000000000000000000000`,
      `66666666666666666666666666666666666.333333333333333333333333333333`,
    ],
    ['finest', `1${'9'.repeat(26)}8.${'0'.repeat(37)}1`, `${'6'.repeat(27)}.${'0'.repeat(38)}`],
    ['whole', `2${'9'.repeat(64)}7`, NINES_65],
    ['cents', '2328.60', '1164.30'],
    ['natural_', '36893488147419103230', '18446744073709551615'],
  ])(
    'are exact and keep their digits where they are longer than a decimal: %s',
    async (attribute, sum, average) => {
      const engine = await open(mariadb().url);
      const body = { query_model: 'amounts', query_facets: [{ attribute, bins: 2 }] };
      const { json } = await engine.facets(body, EVERYTHING);
      const { facets } = JSON.parse(json) as { facets: unknown[] };
      expect(facets[0]).toMatchObject({ sum, average });
    },
  );

  it.each([
    ['cents', '2328.60', '1164.30'],
    ['natural_', '36893488147419103230', '18446744073709551615'],
    ['small', '0.75', '0.25'],
    ['long_', `3${'0'.repeat(30)}.0000000003`, `1${'0'.repeat(30)}.0000000001`],
  ])('are exact in groups too: %s', async (attribute, sum, average) => {
    const engine = await open(mariadb().url);
    expect(await groupOf(engine, { query_model: 'amounts', attribute })).toEqual({ sum, average });
  });

  it.each(['fine', 'whole'])(
    'are a data_error in groups where they are longer than a decimal: %s',
    async (attribute) => {
      const engine = await open(mariadb().url);
      const sum = groupOf(engine, { query_model: 'amounts', attribute });
      expect(await outcome(sum)).toBe('data_error');
    },
  );
});

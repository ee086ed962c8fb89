import { expect, it } from 'vitest';

import { askFacets } from '../databases/checked-facets.ts';
import { open } from '../open.ts';
import { usePostgres } from './server.ts';

const AGE = "extract(epoch from now() - '2020-01-01'::timestamptz)::float8 + id";

const postgres = usePostgres(`create table days (id int primary key);
  insert into days select generate_series(1, 4);`);

it.each([
  ['an attribute', { attributes: { id: {}, age: { sql: AGE, type: 'float64' } } }],
  ['a selection', { sql: `select id, ${AGE} as age from days`, key: ['id'] }],
] as const)('divides values of %s that depend on the time into bins', async (_, model) => {
  const engine = await open(postgres().url, { models: { days: model } });
  expect(engine.reports).toEqual([]);
  const { facets } = await askFacets(engine, {
    model: 'days',
    facets: [{ attribute: 'age', bins: 3 }],
  });
  const [{ bins = [], others } = {}] = facets;
  expect([bins.map(({ count }) => count), others]).toEqual([['1', '1', '2'], '0']);
});

import { expect, it } from 'vitest';

import { dq, type Outcome } from './dq.ts';
import { cities } from './service/cities.ts';
import { serve } from './service/serve.ts';

/** What `dq facets cities` prints on a terminal. */
async function facets(...args: readonly string[]): Promise<Outcome> {
  const { url } = await serve(cities(42));
  return dq(['facets', 'cities', ...args], { url, columns: 80 });
}

it('prints a table of each facet for people, and below it what is in no row', async () => {
  const { stdout, stderr } = await facets('founded:values=2', 'population:bins=3');
  expect(stdout.split('\n')).toEqual([
    'founded     records',
    '1910-01-31        5',
    '1911-01-31        5',
    'population    to  records',
    '         0  1333       12',
    '      1333  2666        5',
    '      2666  4000       11',
    '',
  ]);
  expect(stderr.split('\n')).toEqual([
    '2 of 7 values; 7 without one',
    '',
    '3 bins; 14 without one',
    '',
    '42 records in all',
    '',
  ]);
});

it('looks at other records for a facet of its own filter', async () => {
  const own = "capital where name = 'Ab' or name = ' where '";
  const { stdout, stderr } = await facets('capital', own, '--filter', "name = 'Zürich'");
  expect(stdout.split('\n')).toEqual([
    'capital  records',
    'false          4',
    'true           2',
    'capital  records',
    'false          4',
    'true           1',
    '',
  ]);
  expect(stderr).toMatch(/\n6 records in all\n$/);
});

it('sorts values by themselves where that is asked for', async () => {
  const { stdout } = await facets('name:values=2', 'id:bins=1', '--sort', 'value');
  expect(stdout.split('\n').slice(0, 3)).toEqual([
    'name      records',
    '"Quoted"        5',
    '100% Inn        5',
  ]);
});

it('shows what is wrong with the filter of a facet, and where', async () => {
  const wrong = await facets('capital where population >= abc');
  expect(wrong.exitCode).toBe(2);
  expect(wrong.stderr.split('\n')).toEqual([
    "dq: capital: column 15: expected a value. Texts go in quotes: 'abc'",
    '  population >= abc',
    '                ^',
    '',
  ]);
});

it.each([
  ['name:bins', 'name is of type text, which has no bins. Count its values: name:values=20'],
  ['tags', 'tags is of type json, which has no facets.'],
  ['name:values=2000', 'name:values=2000: expected from 1 to 1000 values. Example: name:values=20'],
  ['population:sum', 'population:sum: population:bins brings the sum and the average.'],
  [
    'population:bin=5',
    'population:bin=5: "bin" is none of values, bins. Did you mean population:bins=5?',
  ],
  ['name:val', 'name:val: "val" is none of values, bins. Did you mean name:values=20?'],
  ['name,population:bins', 'name,population:bins: separate facets by blanks: name population:bins'],
  [
    'name where',
    'name where: expected a condition after "where", such as "where population >= 1000000".',
  ],
  ['name where ', 'name where: expected a condition after "where", such as "where population'],
])('says how the facet %j is written', async (facet, complaint) => {
  const { stderr, exitCode } = await facets(facet);
  expect(stderr).toContain(`dq: ${complaint}`);
  expect(exitCode).toBe(2);
});

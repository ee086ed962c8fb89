import { expect, it } from 'vitest';

import { proposeKeys } from '../src/checks/propose-keys.ts';
import { databasesIn } from '../src/settings/databases.ts';
import { loadSettings } from '../src/settings/file/load.ts';
import { sharedDatabase, useOperator, WORKERS } from './operator.ts';

const operator = useOperator();
const { command } = operator;

it('check --propose-keys says of a view that takes longer than its part of the time, and of all without time, that they were not looked at to the end', async () => {
  const others = Array.from({ length: 10 }, (_, index) => `later_${index}`);
  const endless = sharedDatabase(`
    create view endless as
      with recursive n (i) as (select 1 union all select i + 1 from n) select i from n;
    ${others.map((name) => `create view ${name} as select 1 as one union select 2;`).join('')}`);
  const loaded = await loadSettings({ flags: { database: endless, workers: WORKERS }, env: {} });
  const [opened] = databasesIn(loaded);
  const why = 'was not looked at to the end: raise --seconds';
  const [first, ...later] = (opened && (await proposeKeys(opened.settings, 3000))) ?? [];
  expect(first).toMatchObject({ model: 'endless', why });
  expect(later.map(({ model }) => model)).toEqual(others);
  expect(opened && (await proposeKeys(opened.settings, 0))).toMatchObject(
    ['endless', ...others].map((model) => ({ model, why })),
  );
});

it('check --propose-keys says of many relations without a key what they have in common, or each with --verbose', async () => {
  const names = Array.from({ length: 8 }, (_, index) => `same_${index + 10}`);
  const many = sharedDatabase(
    names.map((name) => `create view ${name} as select 1 as one;`).join(''),
  );
  const args = ['check', '--propose-keys', '--database', many];
  expect(await command(args)).toBe(0);
  expect(operator.output).toBe(
    '# No key was found.\n# same_10, same_11, same_12, same_13, same_14 and 3 more ' +
      '(check --verbose lists all): has too few rows to see what is unique: 1.\n',
  );
  operator.output = '';
  expect(await command([...args, '--verbose'])).toBe(0);
  expect(operator.output.split('\n')).toHaveLength(10);
});

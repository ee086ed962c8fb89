import { expect, it } from 'vitest';

import { databaseFile } from '../../../sqlite/test/database-file.ts';
import { recordsOf } from '../lists.ts';
import { open } from '../open.ts';

it('the first days of all on SQLite are in a week that comes before the others', async () => {
  const days = ['0000-01-01', '0000-01-02', '0000-01-03', '0001-01-01', '9999-12-31'];
  const rows = days.map((day) => `('${day}')`).join(', ');
  const file = databaseFile(`create table days (id integer primary key, day date);
    insert into days (day) values ${rows};`);
  const engine = await open(`sqlite:${file}`);
  const groups = await recordsOf(engine, {
    query_model: 'days',
    query_groups: [{ attribute: 'day', by: 'week' }],
    query_aggregates: [{ name: 'number', op: 'count' }],
  });
  expect(groups).toEqual([
    { 'day.week': '0000-01-01', number: '2' },
    { 'day.week': '0000-01-03', number: '1' },
    { 'day.week': '0001-01-01', number: '1' },
    { 'day.week': '9999-12-27', number: '1' },
  ]);
});

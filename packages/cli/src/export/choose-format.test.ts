import { expect, it } from 'vitest';

import { UsageError } from '../failure.ts';
import { chooseFormat } from './formats.ts';

it.each([
  ['cities.csv', 'csv'],
  ['CITIES.CSV', 'csv'],
  ['cities.ndjson', 'ndjson'],
  ['cities.jsonl', 'ndjson'],
  ['cities.json', 'json'],
  ['cities.parquet', 'parquet'],
  ['a.folder/cities', 'ndjson'],
  ['.csv', 'ndjson'],
])('takes the name %j for %s', (output, format) => {
  expect(chooseFormat({ output })).toBe(format);
});

it.each(['x.xlsx', 'x.csv.gz', 'x.'])(
  'refuses the name %j, which promises another format',
  (output) => {
    expect(() => chooseFormat({ output })).toThrow(UsageError);
  },
);

it('takes a format that is named, whatever the file is called, and ndjson by default', () => {
  expect(chooseFormat({ output: 'x.xlsx', format: 'csv' })).toBe('csv');
  expect(chooseFormat({})).toBe('ndjson');
});

import { expect, it } from 'vitest';

import { runFaults } from '../src/faults/run-faults.ts';
import { FAULT_ROWS } from '../src/faults/table.ts';

it(
  'runs the chosen rows of the fault table against the service, ' +
    'and counts those that saw what they expect',
  async () => {
    const lines: string[] = [];
    const print = (line: string): void => void lines.push(line);
    expect(await runFaults({ databases: ['sqlite'], rows: ['2', '7'], print })).toBe(true);
    expect(lines).toEqual([
      expect.stringMatching(/^ok {4} sqlite 2: the database is named wrongly/),
      expect.stringMatching(/^ok {4} sqlite 7: a query takes longer than its time limit/),
      'sqlite: 2 of 2',
    ]);
  },
);

it('gives every row of the fault table an id of its own', () => {
  const ids = FAULT_ROWS.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

import { expect, it } from 'vitest';

import { demandEqual, Violation } from './demand.ts';

const LONG = 'x'.repeat(500);

it('takes long values for equal only where they are so to the end', () => {
  expect(() => demandEqual([LONG, 1], [LONG, 1], 'the records')).not.toThrow();
  expect(() => demandEqual([LONG, 1], [LONG, 2], 'the records')).toThrow(Violation);
});

it('shows the part of long values in which they differ', () => {
  const [common, rest] = ['x'.repeat(38), 'y'.repeat(200)];
  expect(() => demandEqual([LONG, 1, rest], [LONG, 2, rest], 'the records')).toThrow(
    `the records: expected …${common}",2,"yyyy`,
  );
  expect(() => demandEqual('1', [LONG], 'the records')).toThrow('expected ["xxx');
});

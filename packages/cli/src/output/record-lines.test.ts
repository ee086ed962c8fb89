import { expect, it } from 'vitest';

import { drawRecords } from './table.ts';

it('draws records one attribute a line, with whole values and their places in the list', () => {
  const columns = [
    { title: 'id', align: 'right' },
    { title: 'nôte', align: 'left' },
  ] as const;
  const long = 'x'.repeat(200);
  const rows = [
    ['1', long],
    ['2', null],
  ];
  expect(drawRecords({ columns, rows }, { colour: false, first: 41n, item: 'record' })).toBe(
    `record 41\nid    1\nnôte  ${long}\n\nrecord 42\nid    2\nnôte  NULL\n\n`,
  );
});

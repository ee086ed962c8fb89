import { expect, it } from 'vitest';

import { lastRecordEnd, parseLsn } from './lsn.ts';

const LAYOUT = { pageSize: 8192, segmentSize: 2 ** 24 };

it('a position is read from its two halves', () => {
  expect(parseLsn('16/B374D848')).toBe(0x16_b374_d848n);
  expect(parseLsn('0/8')).toBe(8n);
});

it.each([
  ['in a page', 0x150_a590n, 0x150_a590n],
  ['behind the header of a page', 0x1_0000_2000n + 24n, 0x1_0000_2000n],
  ['behind the header of a segment', 0x1_0100_0000n + 40n, 0x1_0100_0000n],
  ['where a record has ended that began on the page before', 0x1_0000_2000n + 40n, undefined],
  ['inside of the header of a segment', 0x1_0100_0000n + 24n, undefined],
])('the last record before an insert position %s ends there or with its page', (_, lsn, end) => {
  expect(lastRecordEnd(lsn, LAYOUT)).toBe(end ?? lsn);
});

import { describe, expect, it } from 'vitest';

import { LSN_POSITIONS } from './log-state.ts';

const { parse, covers, later, upTo } = LSN_POSITIONS;
const LOG = '1.mK3xQ0bT';
const PROMOTED = '2.mK3xQ0bT';

describe('a position in a write-ahead log', () => {
  it('is an LSN, with the timeline and the cluster or without', () => {
    expect(parse('16/b374d848')).toEqual(['16/B374D848']);
    expect(parse(`0/16B3748@${LOG}`)).toEqual([`0/16B3748@${LOG}`]);
    expect(parse('00/0000001')).toEqual(['0/1']);
    expect(parse(`0/1,0/2@${LOG} , 0/3`)).toEqual(['0/1', `0/2@${LOG}`, '0/3']);
  });

  it.each([
    '',
    '16',
    '16/',
    '1/2/3',
    'g/1',
    '0/123456789',
    '0/1@',
    '0/1@1',
    '0/1@x.mK3xQ0bT',
    '0/1,',
  ])('is not %j', (text) => expect(parse(text)).toBeUndefined());

  it('covers those before it in the same log, and bare ones', () => {
    expect(covers(`1/0@${LOG}`, `0/FFFFFFFF@${LOG}`)).toBe(true);
    expect(covers(`1/0@${LOG}`, `1/0@${LOG}`)).toBe(true);
    expect(covers(`1/0@${LOG}`, `1/1@${LOG}`)).toBe(false);
    expect(covers(`1/0@${LOG}`, '1/0')).toBe(true);
    expect(covers(`1/0@${LOG}`, '1/1')).toBe(false);
    expect(covers(`1/0@${LOG}`, `0/1@${PROMOTED}`)).toBe(false);
    expect(covers(`1/0@${LOG}`, '0/1@1.AAAAAAAA')).toBe(false);
  });

  it('of a later timeline comes after those of an earlier one', () => {
    expect(later(`9/0@${LOG}`, `1/0@${PROMOTED}`)).toBe(`1/0@${PROMOTED}`);
    expect(later(`1/0@${PROMOTED}`, `9/0@${LOG}`)).toBe(`1/0@${PROMOTED}`);
    expect(later(`1/0@${LOG}`, `1/1@${LOG}`)).toBe(`1/1@${LOG}`);
  });

  it('past the end of its log is the end, and one of another log stays', () => {
    expect(upTo(`1/1@${LOG}`, `1/0@${LOG}`)).toBe(`1/0@${LOG}`);
    expect(upTo(`0/1@${LOG}`, `1/0@${LOG}`)).toBe(`0/1@${LOG}`);
    expect(upTo('FFFF/0', `1/0@${LOG}`)).toBe(`1/0@${LOG}`);
    expect(upTo(`9/0@${PROMOTED}`, `1/0@${LOG}`)).toBe(`9/0@${PROMOTED}`);
  });
});

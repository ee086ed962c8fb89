import { describe, expect, it } from 'vitest';

import { GTID_POSITIONS } from './log-state.ts';

const { parse, covers, later, upTo } = GTID_POSITIONS;

describe('a list of global transaction ids', () => {
  it('has one id of each domain', () => {
    expect(parse('0-1-4711')).toEqual(['0-1-4711']);
    expect(parse('0-1-4711,1-2-3')).toEqual(['0-1-4711,1-2-3']);
    expect(parse('0-1-4711, 0-2-5000')).toEqual(['0-2-5000']);
  });

  it.each(['', '0-1', '0-1-', 'a-1-2', '0-1-2,', '0/16B3748', '-1-2-3'])('is not %j', (text) =>
    expect(parse(text)).toBeUndefined(),
  );

  it('covers another one when each of its domains has come as far', () => {
    expect(covers('0-1-10,1-1-5', '0-1-10')).toBe(true);
    expect(covers('0-1-10', '0-2-11')).toBe(false);
    expect(covers('0-1-10', '0-1-9,1-1-1')).toBe(false);
    expect(covers('0-1-9007199254740993', '0-1-9007199254740994')).toBe(false);
  });

  it('and another one are covered by the later id of each domain', () => {
    expect(later('0-1-10,1-1-5', '0-2-11,2-1-1')).toBe('0-2-11,1-1-5,2-1-1');
    expect(later('', '0-1-1')).toBe('0-1-1');
  });

  it('past the end of a log goes to its end, where the log has the domain', () => {
    expect(upTo('0-1-12,1-1-5', '0-1-10')).toBe('0-1-10,1-1-5');
  });
});

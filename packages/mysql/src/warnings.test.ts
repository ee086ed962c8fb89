import { describe, expect, it } from 'vitest';

import { isForEverybodyElsewhere } from './warnings.ts';

const ON_TEST = 'GRANT SELECT, INSERT, UPDATE ON `test`.* TO PUBLIC';
const ON_TESTS = 'GRANT SELECT, INSERT, UPDATE ON `test\\_%`.* TO PUBLIC';

describe('a right that everybody has', () => {
  it.each([
    [ON_TEST, 'shop', true],
    [ON_TEST, 'test', false],
    [ON_TESTS, 'test', true],
    [ON_TESTS, 'testing', true],
    [ON_TESTS, 'test_shop', false],
    ['GRANT INSERT ON `shop`.* TO `reader`@`%`', 'other', false],
  ])('by %s is no danger to %s: %s', (grant, database, elsewhere) => {
    expect(isForEverybodyElsewhere(grant, database)).toBe(elsewhere);
  });
});

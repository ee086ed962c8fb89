import { describe, expect, it } from 'vitest';

import { jsonPointer } from './index.ts';

describe('a JSON pointer', () => {
  it.each([
    [[], ''],
    [['page', 'size'], '/page/size'],
    [['query_attributes', 0], '/query_attributes/0'],
    [[''], '/'],
    [['a/b'], '/a~1b'],
    [['m~n'], '/m~0n'],
    [['~1'], '/~01'],
    [['//~~'], '/~1~1~0~0'],
    [[' ', '"', '\\', '%'], '/ /"/\\/%'],
  ])('to %j is %j, as RFC 6901 escapes it', (path, pointer) => {
    expect(jsonPointer(path)).toBe(pointer);
  });
});

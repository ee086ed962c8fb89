import { expect, it } from 'vitest';

import { Attached } from './attached.ts';

it('a value that is attached to an object is found there, and only by who attached it', () => {
  const [names, sizes] = [new Attached<object, string>(), new Attached<object, number>()];
  const [one, other] = [{}, {}];
  names.set(one, 'a');
  sizes.set(one, 1);
  expect([names.get(one), sizes.get(one), names.get(other)]).toEqual(['a', 1, undefined]);
  expect(Object.keys(one)).toEqual([]);
});

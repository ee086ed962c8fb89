import { expect, it } from 'vitest';

import { bodyReader } from './strict-json.ts';

it('reads equal bodies once, and any other, a long or a broken one each time', () => {
  const readBody = bodyReader();
  const read = (text: string) => readBody(Buffer.from(text));
  const long = JSON.stringify('x'.repeat(1024));
  expect(read('{"a":1}')).toBe(read('{"a":1}'));
  expect(read('"é"').notes).not.toBe(read('"Ã©"').notes);
  expect(read(long)).not.toBe(read(long));
  for (const again of [1, 2]) expect(() => read('{'.repeat(again))).toThrow('not a JSON text');
});

it('begins anew after very many bodies', () => {
  const readBody = bodyReader();
  const read = (number: number) => readBody(Buffer.from(String(number)));
  const first = read(0);
  for (let number = 1; number < 4000; number++) read(number);
  expect(read(0)).toBe(first);
  read(4000);
  expect(read(0)).not.toBe(first);
});

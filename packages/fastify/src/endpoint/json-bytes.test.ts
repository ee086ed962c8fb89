import { expect, it } from 'vitest';

import { bodyReader } from './json-bytes.ts';

it('keeps what came twice, and reads anew what has come once, is long or broken', () => {
  const readBody = bodyReader();
  const read = (text: string) => readBody(Buffer.from(text));
  const long = JSON.stringify('x'.repeat(1024));
  const first = read('{"a":1}');
  const second = read('{"a":1}');
  expect([second !== first, read('{"a":1}') === second]).toEqual([true, true]);
  for (const text of ['"é"', '"Ã©"', long, long]) read(text);
  expect([read('"é"'), read('"Ã©"')]).toMatchObject([{ body: 'é' }, { body: 'Ã©' }]);
  expect(read(long)).not.toBe(read(long));
  for (const again of [1, 2]) expect(() => read('{'.repeat(again))).toThrow('not a JSON text');
});

it('begins anew after very many bodies', () => {
  const readBody = bodyReader();
  const read = (number: number) => readBody(Buffer.from(String(number)));
  read(0);
  const first = read(0);
  for (let number = 1; number < 4000; number++) read(number);
  expect(read(0)).toBe(first);
  read(4000);
  expect(read(0)).not.toBe(first);
});

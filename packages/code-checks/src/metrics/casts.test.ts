import { expect, it } from 'vitest';

import { parseFile } from '../source-file.ts';
import { countCasts } from './casts.ts';

it.each([
  ['const a = b as string;', 1],
  ['const a = b as unknown as string;', 2],
  ['const a = <string>b;', 1],
  ['const a = b!.c!;', 2],
  ["const a = ['x'] as const;", 0],
  ["const a = 'x' satisfies string;", 0],
  ["import { a as b } from './c.ts';", 0],
])('counts the casts of `%s`', (text, casts) => {
  expect(countCasts(parseFile('example.ts', text))).toBe(casts);
});

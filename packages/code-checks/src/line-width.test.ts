import { expect, it } from 'vitest';

import { linesOverWidth } from './line-width.ts';
import { parseFile } from './source-file.ts';

it('finds the lines of more than 100 columns, in comments and texts too', () => {
  const text = `// ${'a'.repeat(98)}\nconst fits = '${'b'.repeat(84)}';\nlet text = '${'c'.repeat(88)}';\n`;
  expect(linesOverWidth(parseFile('a.ts', text))).toEqual(['a.ts:1', 'a.ts:3']);
});

import { expect, it } from 'vitest';

import { shellWord } from './shell-word.ts';

it.each([
  ['shop.yaml', 'shop.yaml'],
  ['my shop.yaml', `'my shop.yaml'`],
  ["it's $HOME", String.raw`'it'\''s $HOME'`],
  ['größe:values=20', `'größe:values=20'`],
  ['', `''`],
])('%j is the word %s of a shell', (text, word) => {
  expect(shellWord(text)).toBe(word);
});

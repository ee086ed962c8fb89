import { expect, it } from 'vitest';

import { readBlocks, readGuide } from './document.ts';
import { Reader } from './reader.ts';

const PAGE = 'docs/guides/other-languages.md';

it(`${PAGE} prints what it shows, with the generator that npm has that day`, async () => {
  const reader = await Reader.createWithShop();
  for (const block of readGuide(PAGE)) await reader.follow(block);
  expect(readBlocks(PAGE).filter(({ text }) => text.includes('npx tsc'))).toHaveLength(1);
}, 300_000);

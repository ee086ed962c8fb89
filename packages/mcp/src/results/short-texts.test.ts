import { expect, it } from 'vitest';

import { shortenTexts } from './records.ts';

it('cuts texts that are longer than a length, and says how long they are', () => {
  const record = { id: '1', note: 'abcdef', short: 'abc', missing: null, count: 5 };
  expect(shortenTexts(record, { from: 0, length: 4 })).toEqual({
    record: { ...record, note: 'abcd' },
    cut: [{ attribute: 'note', characters: 6, from: 0, to: 4 }],
  });
});

it('shows the rest of a text behind a place', () => {
  expect(shortenTexts({ note: 'abcdef' }, { from: 4, length: 4 })).toEqual({
    record: { note: 'ef' },
    cut: [{ attribute: 'note', characters: 6, from: 4, to: 6 }],
  });
});

it('shows JSON values that are long as a part of their text', () => {
  const { record, cut } = shortenTexts(
    { tags: ['aaaa', 'bbbb'], few: ['a'] },
    { from: 0, length: 8 },
  );
  expect(record).toEqual({ tags: '["aaaa",', few: ['a'] });
  expect(cut).toEqual([{ attribute: 'tags', characters: 15, from: 0, to: 8 }]);
});

it('splits no character in two, and parts that follow each other make the whole', () => {
  const note = '😀😀😀';
  const first = shortenTexts({ note }, { from: 0, length: 3 });
  const rest = shortenTexts({ note }, { from: first.cut[0]?.to ?? 0, length: 9 });
  expect(first.record).toEqual({ note: '😀' });
  expect(rest.record).toEqual({ note: '😀😀' });
});

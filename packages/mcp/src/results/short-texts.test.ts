import { expect, it } from 'vitest';

import { shortenTexts, wholeOf } from './records.ts';

const whole = new Set<string>();

it('cuts texts that are longer than a length, and says how long they are', () => {
  const record = { id: '1', note: 'abcdef', short: 'abc', missing: null, count: 5 };
  expect(shortenTexts(record, { from: 0, length: 4, whole })).toEqual({
    record: { ...record, note: 'abcd' },
    cut: [{ attribute: 'note', characters: 6, from: 0, to: 4 }],
  });
});

it('shows the rest of a text behind a place', () => {
  expect(shortenTexts({ note: 'abcdef' }, { from: 4, length: 4, whole })).toEqual({
    record: { note: 'ef' },
    cut: [{ attribute: 'note', characters: 6, from: 4, to: 6 }],
  });
});

it('shows JSON values that are long as a part of their text', () => {
  const { record, cut } = shortenTexts(
    { tags: ['aaaa', 'bbbb'], few: ['a'] },
    { from: 0, length: 8, whole },
  );
  expect(record).toEqual({ tags: '["aaaa",', few: ['a'] });
  expect(cut).toEqual([{ attribute: 'tags', characters: 15, from: 0, to: 8 }]);
});

it('splits no character in two, and parts that follow each other make the whole', () => {
  const note = '😀😀😀';
  const first = shortenTexts({ note }, { from: 0, length: 3, whole });
  const rest = shortenTexts({ note }, { from: first.cut[0]?.to ?? 0, length: 9, whole });
  expect(first.record).toEqual({ note: '😀' });
  expect(rest.record).toEqual({ note: '😀😀' });
});

it('shows numbers, dates and ids whole, since a part of one looks like another', () => {
  const record = { id: '9007199254740993', at: '2026-01-31T10:00:00Z', note: 'abcdef' };
  const types = { id: 'int64', at: 'timestamp_tz', note: 'text' };
  const attributes = Object.entries(types).map(([name, type]) => ({ name, type }));
  const texts = { from: 2, length: 2, whole: wholeOf(attributes) };
  expect(shortenTexts(record, texts).record).toEqual({ ...record, note: 'cd' });
});

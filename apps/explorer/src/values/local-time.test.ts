import { expect, it } from 'vitest';

import { localTime } from './local-time.ts';

it('shows a moment on the clock of the reader, with every digit of its second', () => {
  const text = '2026-01-31T22:15:30.123456Z';
  const shown = localTime(text) ?? '';
  expect(shown).toMatch(/^2026-(01|02)-\d\d \d\d:\d\d:30\.123456$/);
  expect(new Date(shown.replace(' ', 'T')).getTime()).toBe(Date.parse(text));
});

it.each(['infinity', '-infinity', '12026-01-01T00:00:00Z', 'yesterday', ''])(
  'leaves alone what is no such moment: %j',
  (text) => {
    expect(localTime(text)).toBeNull();
  },
);

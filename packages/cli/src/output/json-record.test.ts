import { expect, it } from 'vitest';

import { jsonRecord } from './records.ts';

it('writes the asked attributes in their order, and counts of the SDK as their digits', () => {
  const record = { 2026: 'x', name: 'a', n: 13n, none: null };
  expect(jsonRecord(record, ['name', 'n', '2026', 'none'])).toBe(
    '{"name":"a","n":"13","2026":"x","none":null}',
  );
});

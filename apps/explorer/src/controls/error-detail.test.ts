import { expect, it } from 'vitest';

import { errorDetail } from './error-detail.ts';

it.each([
  ['/page/size', '/page/size: expected at most 1000.', 'Expected at most 1000.'],
  ['/query_sort/0', '/query_sort/0 is named a second time.', 'This is named a second time.'],
  ['/page', '/pages are whole numbers.', '/pages are whole numbers.'],
  ['/query_filter', 'Too deep at /query_filter.', 'Too deep at /query_filter.'],
  ['', ': expected an object.', ': expected an object.'],
])('an error at its control does not repeat the pointer %s', (pointer, detail, shown) => {
  expect(errorDetail({ pointer, code: 'invalid_type', detail })).toBe(shown);
});

import { expect, it } from 'vitest';

import { errorDetail, namedDetail } from './error-detail.ts';

it.each([
  ['/page/size', '/page/size: expected at most 1000.', 'Expected at most 1000.'],
  ['/query_sort/0', '/query_sort/0 is named a second time.', 'This is named a second time.'],
  ['/page', '/pages are whole numbers.', '/pages are whole numbers.'],
  ['/query_filter', 'Too deep at /query_filter.', 'Too deep at /query_filter.'],
  ['', ': expected an object.', ': expected an object.'],
])('an error at its control does not repeat the pointer %s', (pointer, detail, shown) => {
  expect(errorDetail({ pointer, code: 'invalid_type', detail })).toBe(shown);
});

it.each([
  ['/query_total/up_to', '/query_total/up_to: expected a number.', '“up_to”: expected a number.'],
  [
    '/export_csv',
    '/export_csv is not part of the request.',
    '“export_csv” is not part of the request.',
  ],
  ['/query_model', 'No model is named "x".', 'No model is named "x".'],
  ['', 'The body: expected an object.', 'The body: expected an object.'],
])(
  'an error without a control names the member at %s, and no pointer',
  (pointer, detail, shown) => {
    expect(namedDetail({ pointer, code: 'invalid_type', detail })).toBe(shown);
  },
);

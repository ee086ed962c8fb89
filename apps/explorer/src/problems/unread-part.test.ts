import { expect, it } from 'vitest';

import { explainUnread } from './unread-part.ts';

it.each([
  ['page', 'unreadable', 'is not a whole number from 1. Page 1 is shown.'],
  ['size', 'unreadable', 'is not a whole number from 1. A page has 50 records.'],
  ['sort', 'unreadable', 'cannot be read. The records are in the order of the model.'],
  ['record', 'unreadable', 'cannot be read. The view is without it.'],
  ['colums', 'unknown', 'is not a part of a view. The view is without it.'],
  ['page', 'repeated', 'is left out: “page” is in the address before.'],
] as const)('The part %s of an address that is %s %s', (name, why, text) => {
  expect(explainUnread({ name, why })).toBe(text);
});

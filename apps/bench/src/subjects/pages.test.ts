import { expect, test } from 'vitest';

import { checkAlike } from './pages.ts';

const COUNTED = '{"result":[{"id":"1"}],"page":{"page":"3","size":"1","total":"42"}}';
const BARE = '{"result":[{"id":"1"}],"page":{"page":"3","size":"1"}}';

test('replies with the same rows and total are alike, whether or not all have the total', () => {
  expect(() => checkAlike([COUNTED, BARE, COUNTED])).not.toThrow();
});

test.for([
  ['total', COUNTED.replace('42', '41')],
  ['row', COUNTED.replace('"id":"1"', '"id":"2"')],
  ['row without a total', BARE.replace('"id":"1"', '"id":"2"')],
  ['page', BARE.replace('"page":"3"', '"page":"2"')],
] as const)('another %s is not alike', ([, reply]) => {
  expect(() => checkAlike([COUNTED, reply])).toThrow(/^answered differently: /);
});

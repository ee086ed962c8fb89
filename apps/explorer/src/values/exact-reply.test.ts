import { expect, it } from 'vitest';

import { withExactValues } from './exact-reply.ts';

it('turns every value into its JSON text and leaves the rest', () => {
  const page = '"page":{"page":"1","size":"2","total":"2","has_next":false}';
  const records = [
    String.raw`{"a":null,"b":"x\"y","c":{"n":[2.50,9007199254740993]}}`,
    '{"a":1e2,"b":"","c":"{}"}',
  ];
  const body = `{"result":[${records.join(',')}],${page}}`;
  expect(JSON.parse(withExactValues(body))).toEqual({
    result: [
      { a: 'null', b: '"x\\"y"', c: '{"n":[2.50,9007199254740993]}' },
      { a: '1e2', b: '""', c: '"{}"' },
    ],
    page: { page: '1', size: '2', total: '2', has_next: false },
  });
});

it.each(['[]', 'null', '{"result":[1]}', '{"result":[[]]}', '{"result":{}}', '{"page":1}'])(
  'leaves %s to whoever checks replies',
  (body) => {
    expect(withExactValues(body)).toBe(body);
  },
);

it('refuses what is not JSON', () => {
  expect(() => withExactValues('{"result":[')).toThrow(SyntaxError);
});

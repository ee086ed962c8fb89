import { expect, it } from 'vitest';

import { toOpenApi30, toSchema30 } from './openapi-3.0.ts';

it.each([
  ['one type', { type: 'string' }, { type: 'string' }],
  ['a type or null', { type: ['string', 'null'] }, { type: 'string', nullable: true }],
  [
    'a schema or null',
    { anyOf: [{ type: 'string', pattern: '^a' }, { type: 'null' }] },
    { type: 'string', pattern: '^a', nullable: true },
  ],
  [
    'several types',
    { type: ['string', 'number', 'null'] },
    {
      anyOf: [
        { type: 'string', nullable: true },
        { type: 'number', nullable: true },
      ],
    },
  ],
  ['a constant', { const: 'live' }, { type: 'string', enum: ['live'] }],
  ['examples', { type: 'string', examples: ['a', 'b'] }, { type: 'string', example: 'a' }],
  ['a reference', { $ref: '#/a' }, { $ref: '#/a' }],
  [
    'a reference with a description',
    { $ref: '#/a', description: 'A.' },
    { description: 'A.', allOf: [{ $ref: '#/a' }] },
  ],
  [
    'a member whose name is a word of schemas',
    { type: 'object', properties: { type: { const: 1 }, value: { type: ['null', 'string'] } } },
    {
      type: 'object',
      properties: {
        type: { type: 'number', enum: [1] },
        value: { type: 'string', nullable: true },
      },
    },
  ],
])('OpenAPI 3.0 says in its own dialect: %s', (_what, schema, expected) => {
  expect(toSchema30(schema)).toEqual(expected);
});

it('OpenAPI 3.0 has the same examples of bodies as 3.1, whatever is in them', () => {
  const value = { schema: { const: 1 }, type: ['a', 'null'] };
  const body = { schema: { const: 'a' }, examples: { one: { value } }, example: value };
  expect(toOpenApi30({ content: [body] })).toEqual({
    content: [{ ...body, schema: { type: 'string', enum: ['a'] } }],
  });
});

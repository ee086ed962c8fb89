import * as fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod/mini';

import { anyTotal, wirePage } from '../test/arbitraries.ts';
import type { PageRequest } from './arithmetic.ts';
import { type PageMetadata, pageMetadata } from './metadata.ts';
import { pageMetadataSchema, pageRequestSchema } from './schema.ts';

function messagesOf(page: unknown): string[] {
  return (pageRequestSchema.safeParse(page).error?.issues ?? []).map(({ message }) => message);
}

function issuesOf(json: string): [path: string, code: string][] {
  const { error } = pageRequestSchema.safeParse(JSON.parse(json));
  return (error?.issues ?? []).map((issue) => [issue.path.join('.'), issue.code]);
}

describe('the schema of a page request', () => {
  it('reads every legal request back unchanged', () => {
    fc.assert(
      fc.property(wirePage, (page) => {
        expect(pageRequestSchema.parse(page)).toEqual(page);
      }),
    );
  });

  it.each(['1', '1.0', '10e-1', '9007199254740991'])(
    'accepts %s, which is a whole number in JSON',
    (number) => {
      expect(issuesOf(`{"page":${number},"size":${number}}`)).toEqual([]);
    },
  );

  it.each([
    ['0', 'too_small'],
    ['-0', 'too_small'],
    ['-1', 'too_small'],
    ['-9007199254740992', 'too_small'],
    ['9007199254740992', 'too_big'],
    ['1e300', 'too_big'],
    ['1.5', 'invalid_type'],
    ['1e400', 'invalid_type'],
    ['"1"', 'invalid_type'],
    ['""', 'invalid_type'],
    ['null', 'invalid_type'],
    ['true', 'invalid_type'],
    ['[1]', 'invalid_type'],
    ['{}', 'invalid_type'],
  ])('refuses %s with one issue, %s', (value, code) => {
    expect(issuesOf(`{"page":${value},"size":10}`)).toEqual([['page', code]]);
    expect(issuesOf(`{"page":1,"size":${value}}`)).toEqual([['size', code]]);
  });

  it.each([
    ['1', '"1"'],
    [1.5, '1.5'],
    [0, '0'],
    [-(2 ** 60), '-1152921504606847000'],
    [2 ** 53, '9007199254740992'],
    [Infinity, 'Infinity'],
    [Number.NaN, 'NaN'],
    [null, 'null'],
    [true, 'true'],
    [[1], 'a list'],
    [{}, 'an object'],
    [1n, 'a bigint'],
    ['x'.repeat(50), `"${'x'.repeat(40)}…"`],
  ])('says of %s what was expected in its place, and what came', (value, got) => {
    const expected = `expected a whole number from 1 to 2^53 − 1, not in quotes; got ${got}`;
    expect(messagesOf({ page: value, size: 10 })).toEqual([`page: ${expected}`]);
    expect(messagesOf({ page: 1, size: value })).toEqual([`size: ${expected}`]);
  });

  it('says what is missing, what it does not know, and what a page looks like', () => {
    const expected = 'expected a whole number from 1 to 2^53 − 1, not in quotes; it is missing';
    for (const missing of [{ size: 10 }, { page: undefined, size: 10 }])
      expect(messagesOf(missing)).toEqual([`page: ${expected}`]);
    expect(messagesOf({ page: 1, size: 10, offset: 3 })).toEqual([
      'expected page and size only; got "offset" too',
    ]);
    const object = 'expected an object such as {"page": 1, "size": 20}';
    expect(messagesOf(undefined)).toEqual([`${object}; it is missing`]);
    expect(messagesOf([1, 10])).toEqual([`${object}; got a list`]);
  });

  it('refuses members that are missing, all of them at once', () => {
    expect(issuesOf('{}')).toEqual([
      ['page', 'invalid_type'],
      ['size', 'invalid_type'],
    ]);
  });

  it.each(['offset', 'limit', 'Page', '__proto__', 'constructor'])(
    'refuses the unknown member %s',
    (name) => {
      expect(issuesOf(`{"page":1,"size":10,${JSON.stringify(name)}:0}`)).toEqual([
        ['', 'unrecognized_keys'],
      ]);
    },
  );

  it.each(['null', '[]', '[1,10]', '"1"', '1', 'true'])(
    'refuses %s, which is no object',
    (json) => {
      expect(issuesOf(json)).toEqual([['', 'invalid_type']]);
    },
  );

  it('reads as integers from 1 in a JSON Schema', () => {
    const integer = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
    expect(z.toJSONSchema(pageRequestSchema)).toMatchObject({
      properties: { page: integer, size: integer },
      required: ['page', 'size'],
      additionalProperties: false,
    });
  });
});

describe('the schema of page metadata', () => {
  it('accepts what pageMetadata makes, over the whole legal range', () => {
    fc.assert(
      fc.property(wirePage, anyTotal, (page, total) => {
        const metadata = pageMetadata(page, total);
        expect(pageMetadataSchema.parse(metadata)).toStrictEqual(metadata);
      }),
    );
  });

  it.each(['01', '-1', '-0', '1e3', '1.0', '', ' 1', '1\n', '１', 42, null, undefined])(
    'refuses %j for a number',
    (value) => {
      const metadata = { page: '1', size: '10', total: '42', has_next: true };
      for (const member of ['page', 'size', 'total']) {
        expect(pageMetadataSchema.safeParse({ ...metadata, [member]: value }).success).toBe(false);
      }
    },
  );

  it.each(['true', 1, null, undefined])('refuses %j for has_next', (has_next) => {
    expect(
      pageMetadataSchema.safeParse({ page: '1', size: '10', total: '42', has_next }).success,
    ).toBe(false);
  });
});

it('infers the types of the arithmetic', () => {
  expectTypeOf<z.infer<typeof pageRequestSchema>>().toExtend<PageRequest<number>>();
  expectTypeOf<z.infer<typeof pageMetadataSchema>>().toExtend<PageMetadata>();
});

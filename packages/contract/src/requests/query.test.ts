import { describe, expect, expectTypeOf, it } from 'vitest';

import { REQUEST_ERROR_CODES } from '../../test/request-error-codes.ts';
import { WRONG_FILTERS } from '../../test/wrong-filters.ts';
import { MAX_ATTRIBUTES, type QueryRequest, readQueryRequest } from './query.ts';
import type { RecordKey } from './page.ts';
import { queryReplySchema } from '../replies/reply.ts';

const valid = {
  query_model: 'cities',
  query_attributes: ['name', 'population'],
  page: { page: 3, size: 10 },
};

/** The errors of a body as `[pointer, code]`, in their order. */
function errorsIn(body: unknown): [pointer: string, code: string][] {
  const reading = readQueryRequest(body);
  return reading.ok ? [] : reading.errors.map(({ pointer, code }) => [pointer, code]);
}

/** The first error, whole. */
function firstError(body: unknown): unknown {
  const reading = readQueryRequest(body);
  return reading.ok ? undefined : reading.errors[0];
}

function names(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `attribute_${index}`);
}

describe('a valid request', () => {
  it('is read as it is', () => {
    expect(readQueryRequest(valid)).toStrictEqual({ ok: true, request: valid });
  });

  it.each([
    ['a page of 1.0', JSON.parse('{"page":1.0,"size":1e1}')],
    ['the largest page', { page: Number.MAX_SAFE_INTEGER, size: Number.MAX_SAFE_INTEGER }],
  ])('may have %s', (_, page) => {
    expect(errorsIn({ ...valid, page })).toEqual([]);
  });

  it.each([{ id: '4711' }, { id: 4711, region: null }, {}, JSON.parse('{"__proto__":1}')])(
    'may ask for the page that holds a record, by the values of its key: %j',
    (containing) => {
      const request = { ...valid, page: { containing, size: 10 }, query_total: 'exact' };
      expect(readQueryRequest(request)).toStrictEqual({ ok: true, request });
    },
  );

  it.each(['exact', 'none', { up_to: 1 }, { up_to: Number.MAX_SAFE_INTEGER }])(
    'may ask for the total by %j',
    (query_total) => {
      const request = { ...valid, query_total };
      expect(readQueryRequest(request)).toStrictEqual({ ok: true, request });
    },
  );

  it.each([
    ['one attribute', ['name']],
    ['as many attributes as the limit', names(MAX_ATTRIBUTES)],
    [
      'attributes that differ in case, in normal form or in blanks alone',
      ['name', 'Name', '\u00e9', 'e\u0301', 'name '],
    ],
    ['attributes with the names of JavaScript', ['__proto__', 'constructor', 'toString']],
    ['a pair of surrogates, quotes and the empty name', ['𝄞', '"; DROP TABLE city --', '']],
  ])('may have %s', (_, query_attributes) => {
    expect(errorsIn({ ...valid, query_attributes })).toEqual([]);
  });
});

const { query_model, query_attributes, page } = valid;

/**
 * Bodies as JSON texts, since only a text can give an object a member of its own named `__proto__`.
 */
const wrong: [body: string, ...errors: [pointer: string, code: string][]][] = [
  ['null', ['', 'invalid_type']],
  [json({ ...valid, query_groups: [] }), ['/query_groups', 'invalid_groups']],
  [
    json({ ...valid, query_related: [{ name: '1st', related: 'orders', op: 'count' }] }),
    ['/query_related/0/name', 'invalid_related'],
  ],
  [json({ ...valid, query_groups: Array(6).fill('a') }), ['/query_groups', 'too_many_groups']],
  ['[]', ['', 'invalid_type']],
  ['"cities"', ['', 'invalid_type']],
  ['7', ['', 'invalid_type']],
  [
    '{}',
    ['/query_model', 'missing_member'],
    ['/query_attributes', 'missing_member'],
    ['/page', 'missing_member'],
  ],
  [json({ query_attributes, page }), ['/query_model', 'missing_member']],
  [json({ query_model, page }), ['/query_attributes', 'missing_member']],
  [json({ query_model, query_attributes }), ['/page', 'missing_member']],
  [
    json({ ...valid, page: {} }),
    ['/page/page', 'missing_member'],
    ['/page/size', 'missing_member'],
  ],
  [json({ ...valid, query_model: null }), ['/query_model', 'invalid_type']],
  [json({ ...valid, query_model: ['cities'] }), ['/query_model', 'invalid_type']],
  [json({ ...valid, query_model: 'ci\0ties' }), ['/query_model', 'invalid_text']],
  [json({ ...valid, query_model: '\ud800' }), ['/query_model', 'invalid_text']],
  [json({ ...valid, query_attributes: 'name' }), ['/query_attributes', 'invalid_type']],
  [json({ ...valid, query_attributes: { 0: 'name' } }), ['/query_attributes', 'invalid_type']],
  [json({ ...valid, query_attributes: [] }), ['/query_attributes', 'no_attributes']],
  [
    json({ ...valid, query_attributes: ['a', null, 1] }),
    ['/query_attributes/1', 'invalid_type'],
    ['/query_attributes/2', 'invalid_type'],
  ],
  [
    json({ ...valid, query_attributes: ['\udc00', 'b\0'] }),
    ['/query_attributes/0', 'invalid_text'],
    ['/query_attributes/1', 'invalid_text'],
  ],
  [
    json({ ...valid, query_attributes: ['a', 'b', 'a', 'a'] }),
    ['/query_attributes/2', 'duplicate_attribute'],
    ['/query_attributes/3', 'duplicate_attribute'],
  ],
  [
    json({ ...valid, query_attributes: ['a', 'a', 1] }),
    ['/query_attributes/2', 'invalid_type'],
    ['/query_attributes/1', 'duplicate_attribute'],
  ],
  [
    json({ ...valid, query_attributes: [1, 1] }),
    ['/query_attributes/0', 'invalid_type'],
    ['/query_attributes/1', 'invalid_type'],
  ],
  [json({ ...valid, query_attributes: names(201) }), ['/query_attributes', 'too_many_attributes']],
  [json({ ...valid, page: [3, 10] }), ['/page', 'invalid_type']],
  [json({ ...valid, page: null }), ['/page', 'invalid_type']],
  [json({ ...valid, filter: {} }), ['/filter', 'unknown_member']],
  [json({ ...valid, 'a/b~c': 1 }), ['/a~1b~0c', 'unknown_member']],
  [json({ ...valid, '': 1 }), ['/', 'unknown_member']],
  [json({ ...valid, page: { ...page, offset: 20 } }), ['/page/offset', 'unknown_member']],
  [
    json({ ...valid, constructor: 1, toString: 2 }),
    ['/constructor', 'unknown_member'],
    ['/toString', 'unknown_member'],
  ],
  [withOwnProto(valid), ['/__proto__', 'unknown_member']],
  [
    `{"__proto__":${json(valid)}}`,
    ['/query_model', 'missing_member'],
    ['/query_attributes', 'missing_member'],
    ['/page', 'missing_member'],
    ['/__proto__', 'unknown_member'],
  ],
  [json({ ...valid, query_filter: { and: ['a = 1'] } }), ['/query_filter/and/0', 'invalid_type']],
  [json({ ...valid, query_sort: 'name' }), ['/query_sort', 'invalid_type']],
  [json({ ...valid, query_sort: [{}] }), ['/query_sort/0/attribute', 'missing_member']],
  [
    json({ ...valid, query_sort: [{ attribute: 'a', direction: 'DESC' }] }),
    ['/query_sort/0/direction', 'invalid_value'],
  ],
  [
    json({ ...valid, query_sort: [{ attribute: 'a', nulls: null }] }),
    ['/query_sort/0/nulls', 'invalid_value'],
  ],
  [
    json({ ...valid, query_sort: [{ attribute: 'a', order: 1 }] }),
    ['/query_sort/0/order', 'unknown_member'],
  ],
  [
    json({ ...valid, query_sort: [{ attribute: 'a' }, { attribute: 'a' }] }),
    ['/query_sort/1/attribute', 'duplicate_attribute'],
  ],
  [
    json({ ...valid, query_sort: names(6).map((attribute) => ({ attribute })) }),
    ['/query_sort', 'too_many_sort_terms'],
  ],
  // It has more characters than an order has terms.
  [json({ ...valid, query_sort: '-population' }), ['/query_sort', 'invalid_type']],
  ...['all', 0, null, [], {}, { upTo: 5 }].map((query_total): (typeof wrong)[number] => [
    json({ ...valid, query_total }),
    ['/query_total', 'invalid_query_total'],
  ]),
  ...[0, -1, 1.5, 2 ** 53, '5', null, [1]].map((up_to): (typeof wrong)[number] => [
    json({ ...valid, query_total: { up_to } }),
    ['/query_total/up_to', 'invalid_query_total'],
  ]),
  [
    json({ ...valid, query_total: { up_to: 5, 'a/b': 1 } }),
    ['/query_total/a~1b', 'unknown_member'],
  ],
  ...[null, 'x', 7, [], [{ id: 1 }]].map((containing): (typeof wrong)[number] => [
    json({ ...valid, page: { containing, size: 10 } }),
    ['/page/containing', 'invalid_type'],
  ]),
  [json({ ...valid, page: { containing: { id: 1 } } }), ['/page/size', 'missing_member']],
  [
    json({ ...valid, page: { containing: { id: 1 }, page: 0, size: '5', offset: 1 } }),
    ['/page/page', 'unknown_member'],
    ['/page/size', 'invalid_type'],
    ['/page/offset', 'unknown_member'],
  ],
  [
    json({ ...valid, page: { containing: { id: 1 }, size: 10 }, query_total: 'none' }),
    ['/query_total', 'invalid_query_total'],
  ],
  [
    json({ ...valid, page: 'PAGE' }).replace('"PAGE"', withOwnProto(page)),
    ['/page/__proto__', 'unknown_member'],
  ],
];

function json(value: unknown): string {
  return JSON.stringify(value);
}

function withOwnProto(value: object): string {
  return json(value).replace('{', '{"__proto__":{"page":1},');
}

describe('a wrong request', () => {
  it.each(wrong)('%.100s has its errors, each at its place', (body, ...errors) => {
    expect(errorsIn(JSON.parse(body))).toEqual(errors);
  });

  it.each([
    ['0', 'out_of_range'],
    ['9007199254740992', 'out_of_range'],
    ['1.5', 'invalid_type'],
    ['"1"', 'invalid_type'],
  ])('with %s for a page number or size has one error there: %s', (number, code) => {
    for (const member of ['page', 'size']) {
      const text = json({ ...valid, page: { ...page, [member]: 'NUMBER' } }).replace(
        '"NUMBER"',
        number,
      );
      expect(errorsIn(JSON.parse(text))).toEqual([[`/page/${member}`, code]]);
    }
  });

  it('learns of errors of every kind and on every level at once', () => {
    const attributes = ['a', 1, 'a', '\0'];
    const body = {
      query_model: 7,
      query_attributes: attributes,
      page: { page: 0, size: '10', offset: 0 },
      sort: [],
    };
    expect(errorsIn(body).toSorted(([a], [b]) => (a < b ? -1 : 1))).toEqual([
      ['/page/offset', 'unknown_member'],
      ['/page/page', 'out_of_range'],
      ['/page/size', 'invalid_type'],
      ['/query_attributes/1', 'invalid_type'],
      ['/query_attributes/2', 'duplicate_attribute'],
      ['/query_attributes/3', 'invalid_text'],
      ['/query_model', 'invalid_type'],
      ['/sort', 'unknown_member'],
    ]);
  });

  it('has one error, not one per item, where the array is far too long', () => {
    for (const item of ['a', 1]) {
      const attributes = Array.from({ length: 100_000 }, () => item);
      expect(errorsIn({ ...valid, query_attributes: attributes })).toEqual([
        ['/query_attributes', 'too_many_attributes'],
      ]);
    }
  });

  it('meets, over these tables, every error code that a body alone can have', () => {
    const tables = [...wrong, ...WRONG_FILTERS];
    const met = new Set(tables.flatMap(([, ...errors]) => errors.map(([, code]) => code)));
    const possible = Object.entries(REQUEST_ERROR_CODES).flatMap(([code, found]) =>
      found === 'body' ? [code] : [],
    );
    expect(met.add('out_of_range')).toEqual(new Set(possible));
  });
});

describe('the details of an error', () => {
  it('say what was expected where', () => {
    expect(firstError(null)).toStrictEqual({
      pointer: '',
      code: 'invalid_type',
      detail: 'The body: expected an object.',
    });
    expect(firstError(undefined)).toStrictEqual(firstError(null));
    expect(firstError({ ...valid, page: { page: '3', size: 10 } })).toMatchObject({
      detail: '/page/page: expected a whole number, not in quotes.',
    });
    expect(firstError({ query_model, query_attributes })).toMatchObject({
      detail: '/page is required: an object, such as {"page": 1, "size": 20}.',
    });
    expect(firstError({ ...valid, page: { page: -(2 ** 53), size: 10 } })).toMatchObject({
      detail: '/page/page: expected a whole number of at least 1.',
    });
    expect(firstError({ ...valid, query_attributes: ['a', 'a'] })).toMatchObject({
      detail: '/query_attributes/1 is named a second time.',
    });
  });

  it.each([
    [{ page: 2 }, '/page: expected an object, such as {"page": 1, "size": 20}.'],
    [
      { query_sort: 'name' },
      '/query_sort: expected an array, such as [{"attribute": …, "direction": "desc"}].',
    ],
    [
      { query_sort: [{ attribute: 'name' }, '-name'] },
      '/query_sort/1: expected an object, such as {"attribute": …, "direction": "desc"}.',
    ],
    [
      { query_filter: 'a = 1' },
      '/query_filter: expected an object, such as {"attribute": …, "op": "eq", "value": …}.',
    ],
    [
      { query_filter: { and: ['a = 1'] } },
      '/query_filter/and/0: expected an object, such as {"attribute": …, "op": "eq", "value": …}.',
    ],
    [{ query_attributes: 'name' }, '/query_attributes: expected an array.'],
    [{ query_total: { up_to: 0 } }, '/query_total/up_to: expected a whole number of at least 1.'],
  ])('show the form of the member: %j', (member, detail) => {
    expect(firstError({ ...valid, ...member })).toMatchObject({ detail });
  });

  it('carry the limit where the error is one', () => {
    expect(firstError({ ...valid, query_attributes: names(201) })).toMatchObject({ maximum: 200 });
    expect(firstError({ ...valid, page: { page: 2 ** 53, size: 10 } })).toMatchObject({
      maximum: Number.MAX_SAFE_INTEGER,
    });
    expect(firstError({ ...valid, page: { page: 0, size: 10 } })).not.toHaveProperty('maximum');
  });
});

describe('the well-formed members of a wrong request', () => {
  it.each([
    ['one member is wrong', { ...valid, query_attributes: [] }, { query_model, page }],
    ['a member is unknown', { ...valid, filter: {} }, valid],
    [
      'a member of the page is unknown',
      { ...valid, page: { ...page, offset: 0 } },
      { query_model, query_attributes },
    ],
    ['a member is missing', { query_model }, { query_model }],
    ['the body is no object', [valid], {}],
    ['the body is null', null, {}],
    ['members are inherited', JSON.parse(`{"__proto__":${json(valid)}}`), {}],
  ])('stay readable where %s', (_, body, wellFormed) => {
    const reading = readQueryRequest(body);
    expect(reading.ok || reading.wellFormed).toStrictEqual(wellFormed);
  });
});

describe('a reply', () => {
  const metadata = { page: '3', size: '10', total: '42', has_next: true };

  it('is accepted as the contract shows it', () => {
    const reply = { result: [{ name: 'Zürich', population: 1 }], page: metadata };
    expect(queryReplySchema.parse(reply)).toStrictEqual(reply);
    expect(queryReplySchema.safeParse({ result: [], page: metadata }).success).toBe(true);
  });

  it.each([{ total: null }, { total: null, total_at_least: '10001' }])(
    'is accepted without a total that was not asked for: %j',
    (members) => {
      const reply = { result: [], page: { ...metadata, ...members } };
      expect(queryReplySchema.parse(reply)).toEqual(reply);
    },
  );

  it.each([null, 'Zürich', 1, ['Zürich']])(
    'is refused with a record that is not an object: %j',
    (record) => {
      expect(queryReplySchema.safeParse({ result: [record], page: metadata }).success).toBe(false);
    },
  );

  it('is refused without its metadata or with numbers in it', () => {
    expect(queryReplySchema.safeParse({ result: [] }).success).toBe(false);
    expect(
      queryReplySchema.safeParse({ result: [], page: { ...metadata, total: 42 } }).success,
    ).toBe(false);
  });
});

it('the type of a request has three required members', () => {
  expectTypeOf<Pick<QueryRequest, 'query_model' | 'query_attributes' | 'page'>>().toEqualTypeOf<{
    query_model: string;
    query_attributes: string[];
    page: { page: number; size: number } | { containing: RecordKey; size: number };
  }>();
});

import type { ProblemCode } from '@proj/contract';

/** JSON texts in the place of `page.page` or `page.size`, where a whole number from 1 belongs. */
export const NO_PAGE_NUMBERS: readonly (readonly [text: string, code: ProblemCode])[] = [
  ...['0', '-0', '0.0', '-0.0', '0e5', '-1', '-2', '-1.0', '-1e3', '-9007199254740993'].map(
    outOfRange,
  ),
  ...[
    '9007199254740992',
    '9007199254740993',
    '9007199254740992.0',
    '9.007199254740992e15',
    '1e16',
    '1e20',
    '1e308',
  ].map(outOfRange),
  ...['18446744073709551616', '99999999999999999999999999999999999999'].map(outOfRange),
  ...['1.5', '1.0000000001', '2.5e0', '15e-1', '1e400', '-1e400', '1e99999'].map(invalidType),
  ...[
    '"1"',
    '"10"',
    '""',
    '"one"',
    '"1.0"',
    '" 1 "',
    'true',
    'false',
    'null',
    '[]',
    '[1]',
    '[[1]]',
    '{}',
    '{"page":1}',
  ].map(invalidType),
  ...[
    '0.99999999999999999999',
    '0.99999999999999999999e0',
    '99999999999999999999e-20',
    '1.00000000000000000001',
  ].map(rounded),
  ...[
    '9007199254740990.9',
    '1e-400',
    '-0.000000000000000000000000001e-400',
    '10.00000000000000000001E0',
  ].map(rounded),
];

/** Whole numbers in an unusual spelling, which are the number all the same. */
export const UNUSUAL_ONES: readonly string[] = [
  '1',
  '1.0',
  '1.000',
  '1e0',
  '1E0',
  '1e+0',
  '1E-0',
  '10e-1',
  '100e-2',
  '0.1e1',
  '0.01E+2',
  ' 1 ',
];

function outOfRange(text: string): readonly [string, ProblemCode] {
  return [text, 'out_of_range'];
}

function invalidType(text: string): readonly [string, ProblemCode] {
  return [text, 'invalid_type'];
}

function rounded(text: string): readonly [string, ProblemCode] {
  return [text, 'malformed_json'];
}

/** Names that mean something to JavaScript objects. */
export const OBJECT_NAMES: readonly string[] = [
  '__proto__',
  '\\u005f_proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'isPrototypeOf',
  '__defineGetter__',
  '__lookupSetter__',
  'toJSON',
  'then',
  'length',
  '0',
];

/** Bodies that are JSON and have one kind of error; the pointer is that of the first error. */
export const WRONG_BODIES: readonly (readonly [
  body: string,
  code: ProblemCode,
  pointer: string,
])[] = [
  ['null', 'invalid_type', ''],
  ['true', 'invalid_type', ''],
  ['1', 'invalid_type', ''],
  ['""', 'invalid_type', ''],
  ['"cities"', 'invalid_type', ''],
  ['[]', 'invalid_type', ''],
  [
    '[{"query_model":"cities","query_attributes":["id"],"page":{"page":1,"size":1}}]',
    'invalid_type',
    '',
  ],
  ['{}', 'missing_member', '/query_model'],
  ['{"query_attributes":["id"],"page":{"page":1,"size":1}}', 'missing_member', '/query_model'],
  ['{"query_model":"cities","page":{"page":1,"size":1}}', 'missing_member', '/query_attributes'],
  ['{"query_model":"cities","query_attributes":["id"]}', 'missing_member', '/page'],
  ['{"query_model":"cities","query_attributes":["id"],"page":{}}', 'missing_member', '/page/page'],
  [
    '{"query_model":"cities","query_attributes":["id"],"page":{"size":1}}',
    'missing_member',
    '/page/page',
  ],
  [
    '{"query_model":"cities","query_attributes":["id"],"page":{"page":1}}',
    'missing_member',
    '/page/size',
  ],
  ...['null', 'true', '1', '[]', '["cities"]', '{}'].map(
    (value) =>
      [
        `{"query_model":${value},"query_attributes":["id"],"page":{"page":1,"size":1}}`,
        'invalid_type',
        '/query_model',
      ] as const,
  ),
  ...['null', 'true', '1', '"id"', '"*"', '{}', '{"0":"id"}'].map(
    (value) =>
      [
        `{"query_model":"cities","query_attributes":${value},"page":{"page":1,"size":1}}`,
        'invalid_type',
        '/query_attributes',
      ] as const,
  ),
  ...['null', 'true', '1', '1.5', '[]', '["id"]', '{}', '{"name":"id"}'].map(
    (value) =>
      [
        `{"query_model":"cities","query_attributes":["id",${value}],"page":{"page":1,"size":1}}`,
        'invalid_type',
        '/query_attributes/1',
      ] as const,
  ),
  ...['null', 'true', '1', '"1"', '[]', '[1,10]'].map(
    (value) =>
      [
        `{"query_model":"cities","query_attributes":["id"],"page":${value}}`,
        'invalid_type',
        '/page',
      ] as const,
  ),
  [
    '{"query_model":"cities","query_attributes":[],"page":{"page":1,"size":1}}',
    'no_attributes',
    '/query_attributes',
  ],
  [
    '{"query_model":"cities","query_attributes":["id","id"],"page":{"page":1,"size":1}}',
    'duplicate_attribute',
    '/query_attributes/1',
  ],
  [
    '{"query_model":"cities","query_attributes":["id","\\u0069d"],"page":{"page":1,"size":1}}',
    'duplicate_attribute',
    '/query_attributes/1',
  ],
  [
    '{"query_model":"cities","query_attributes":["id","name"],"page":{"page":1,"size":1001}}',
    'size_too_large',
    '/page/size',
  ],
  [
    '{"query_model":"cities","query_attributes":["id"],"page":{"page":1,"size":9007199254740991}}',
    'size_too_large',
    '/page/size',
  ],
  ...[
    '',
    ' ',
    'citiez',
    'Cities',
    'CITIES',
    'cities ',
    ' cities',
    'cities;',
    'main.cities',
    '\\"cities\\"',
    "cities' or 1=1 --",
    'sqlite_schema',
    '*',
    '%',
    'ｃities',
    '../cities',
  ].map(
    (name) =>
      [
        `{"query_model":"${name}","query_attributes":["id"],"page":{"page":1,"size":1}}`,
        'unknown_model',
        '/query_model',
      ] as const,
  ),
  ...[
    '',
    ' ',
    'ID',
    'Id',
    'id ',
    ' id',
    '*',
    'count(*)',
    'rowid',
    'oid',
    '\\"id\\"',
    '`id`',
    '[id]',
    'cities.id',
    't.id',
    'id as x',
    'id, name',
    "id'",
    'id;--',
    'ı́d',
  ].map(
    (name) =>
      [
        `{"query_model":"cities","query_attributes":["${name}"],"page":{"page":1,"size":1}}`,
        'unknown_attribute',
        '/query_attributes/0',
      ] as const,
  ),
  ...[
    'filter',
    'query_filters',
    'query_sorts',
    'Page',
    'QUERY_MODEL',
    'query_model ',
    '',
    '~',
    '/',
    'a/b~c',
    'offset',
    'total',
    '$schema',
  ].map(
    (name) =>
      [
        `{"query_model":"cities","query_attributes":["id"],"page":{"page":1,"size":1},"${name}":null}`,
        'unknown_member',
        `/${escaped(name)}`,
      ] as const,
  ),
  ...['Page', 'SIZE', 'offset', 'total', 'has_next', 'limit', '', 'page '].map(
    (name) =>
      [
        `{"query_model":"cities","query_attributes":["id"],"page":{"page":1,"size":1,"${name}":1}}`,
        'unknown_member',
        `/page/${name}`,
      ] as const,
  ),
];

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

import * as fc from 'fast-check';

import { type JsonNode, members, Token } from './json-text.ts';

/** Texts that databases, parsers and terminals have stumbled over. */
const TEXTS = [
  '',
  ' ',
  '\0',
  '\ud800',
  'a\udfffb',
  '\u202eabc',
  'e\u0301',
  '\u{1f469}\u200d\u{1f4bb}',
  'ﬀ',
  'İ',
  '%_\\',
  `'; drop table items; --`,
  '"`[]',
  '${jndi:ldap://x}',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'toString',
  'NaN',
  '-Infinity',
  '-0',
  '1e400',
  '0x10',
  '١٢٣',
  ' 1',
  '1 ',
  '+1',
  '1.',
  '.5',
  '9'.repeat(400),
  `0.${'0'.repeat(400)}1`,
  '9223372036854775808',
  '-9223372036854775809',
  '2024-02-30',
  '0000-00-00',
  '9999-12-31',
  '-4713-01-01',
  '294277-01-01',
  '2024-01-01T24:00:00',
  '2024-01-01T00:00:00.1234567890123Z',
  '2024-01-01T00:00:00+99:99',
  '23:59:60',
  'true',
  'x'.repeat(20_000),
];

const NUMBERS = [
  '0',
  '-0',
  '1',
  '1.0',
  '1e0',
  '-1',
  '9007199254740993',
  '9223372036854775807',
  '18446744073709551616',
  '1e308',
  '1e309',
  '-1e999',
  '5e-324',
  '1e-999',
  `1${'0'.repeat(1000)}`,
  `0.${'1'.repeat(1000)}`,
];

/** Tokens that are no JSON. */
const NO_JSON = [
  'NaN',
  '01',
  '+1',
  '.5',
  '1.',
  'undefined',
  "'x'",
  '/**/1',
  '0x1',
  '"\u0001"',
  '"\\x"',
];

export const oddText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...TEXTS),
  fc.string({ unit: 'binary', maxLength: 30 }),
);

export const oddNumber: fc.Arbitrary<JsonNode> = fc.oneof(
  fc.constantFrom(...NUMBERS).map((text) => new Token(text)),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

/** Something in the place of a value. */
export const oddValue: fc.Arbitrary<JsonNode> = fc.oneof(
  { weight: 4, arbitrary: oddText },
  { weight: 4, arbitrary: oddNumber },
  { weight: 2, arbitrary: fc.constantFrom<JsonNode>(true, false, null, [], members({})) },
  { weight: 1, arbitrary: fc.array(oddText, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constant(members({ and: [] })) },
  { weight: 1, arbitrary: fc.constantFrom(...NO_JSON).map((text) => new Token(text)) },
  { weight: 1, arbitrary: fc.integer({ min: 2, max: 20_000 }).map(nested) },
);

function nested(depth: number): Token {
  return new Token('['.repeat(depth) + ']'.repeat(depth));
}

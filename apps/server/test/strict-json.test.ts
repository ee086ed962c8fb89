import { gzipSync } from 'node:zlib';

import { HttpProblem, readJsonBytes } from '@proj/fastify/host';
import { describe, expect, it } from 'vitest';

import { NOT_UTF8, place, PLACES } from './hostile/encodings.ts';

const VALID =
  '{"query_model":"cities","query_attributes":["id","name"],"page":{"page":1,"size":10}}';

// JSON.parse reads the texts; these are what other parsers take (RFC 8259).
const NO_VALUES = [
  ...`01 +1 .5 1. 1e 0x1 1_0 1n NaN -Infinity True undefined '1' "\\x41" "\\u12G4" “1”`.split(' '),
  ...`[1,] [,1] [1 {"a":1,} {a:1} {'a':1} {"a":1]} //1 /**/1 #1 <!---->1`.split(' '),
  '"\n"',
  '"\0"',
  '\v1',
  '\xA01',
  '\ufeff1',
  '1\0',
  '',
];
const NO_TEXTS = [
  ...`{}{} {}, ,{} {}; {}x x{} {}// }{ query_model=cities <query/> )]}'{} while(1);{}`.split(' '),
  '',
  ' ',
  '\n\n',
  '\0{}',
  '{}\0',
  '\ufeff{}',
  '{}\ufeff',
  '\xA0{}',
];

function read(text: string | Uint8Array): unknown {
  return readJsonBytes(typeof text === 'string' ? Buffer.from(text) : text);
}

/** The code of the error with which a text is refused, if it is. */
function codeOf(text: string | Uint8Array): string {
  try {
    read(text);
    return 'read';
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    return error.code;
  }
}

/** The codes with which texts are refused, each once. */
function codesOf(texts: readonly (string | Uint8Array)[]): string[] {
  return [...new Set(texts.map(codeOf))];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('a text that is no JSON is malformed_json', () => {
  it('where a value should be, alone, in an object and behind another in an array', () => {
    expect(codesOf(NO_VALUES.map((text) => `{"page":${text},"size":1}`))).toEqual([
      'malformed_json',
    ]);
    const others = NO_VALUES.filter((text) => text !== '');
    expect(codesOf(others.map((text) => `["id" ${text}]`))).toEqual(['malformed_json']);
  });

  it('as a whole', () => {
    expect(codesOf(NO_TEXTS)).toEqual(['malformed_json']);
  });

  it('when a valid text is cut after any of its bytes, or lacks any one of them', () => {
    const lengths = Array.from({ length: VALID.length - 1 }, (_, length) => length);
    expect(codesOf(lengths.map((length) => VALID.slice(0, length)))).toEqual(['malformed_json']);
    const shortened = lengths.map((at) => VALID.slice(0, at) + VALID.slice(at + 1));
    expect(codesOf(shortened.filter((text) => !isJson(text)))).toEqual(['malformed_json']);
  });

  it.each([
    ['{bad', 'the error is at line 1, column 2'],
    ['{\n  "query_model": "cities",\n}', 'the error is at line 3, column 1'],
    ['{"query_model": "cities"', 'line 1, column 25'],
    ['{"page": [1,', 'it ends too early'],
    ['{"page": tru}', 'is not a JSON text.'],
    ['', 'The body is empty'],
  ])('and says where the parser found the error: %j', (text, where) => {
    expect(() => read(text)).toThrow(where);
  });
});

describe('bytes that are not UTF-8 are invalid_encoding', () => {
  it.each(PLACES)('in %s', (_where, template) => {
    expect(codesOf(NOT_UTF8.map(([, bytes]) => place(template, bytes)))).toEqual([
      'invalid_encoding',
    ]);
  });

  it('in UTF-16 and UTF-32 with a byte order mark, and compressed', () => {
    const utf16 = Buffer.from(`\ufeff${VALID}`, 'utf16le');
    const utf32 = Buffer.concat([Buffer.from([0xff, 0xfe, 0, 0]), utf16]);
    expect(codesOf([utf16, Buffer.from(utf16).swap16(), utf32, gzipSync(VALID)])).toEqual([
      'invalid_encoding',
    ]);
  });

  it('but are malformed_json in UTF-16 without the mark, which is full of NULs, and in UTF-8 with it (RFC 8259 §8.1)', () => {
    const utf16 = Buffer.from(VALID, 'utf16le');
    expect(codesOf([utf16, Buffer.from(utf16).swap16(), `\ufeff${VALID}`])).toEqual([
      'malformed_json',
    ]);
  });
});

describe('a member that is named twice', () => {
  const rest = '"query_attributes":["id"],"page":{"page":1,"size":1}';

  it.each([
    `{"query_model":"cities","query_model":"cities",${rest}}`,
    `{"query_model":"cities",${rest},"query_model":"other"}`,
    `{"query_model":"cities","\\u0071uery_model":"cities",${rest}}`,
    `{"\\u0071\\u0075ery_model":"cities","query_model":"cities",${rest}}`,
    `{"page":{"page":1,"size":1,"page":2}}`,
    `{"page":{"page":1,"size":1,"siz\\u0065":2}}`,
    `{"page":{"page":1,"size":1},"page":{"page":2,"size":1}}`,
    `{"x":{"a":{"b":1,"b":2}}}`,
    `{"x":[{"a":1},{"a":1,"a":1}]}`,
    `{"__proto__":1,"__proto__":2}`,
    `{"":1,"":2}`,
    `{"é":1,"\\u00e9":2}`,
    `{"\\"":1,"\\u0022":2}`,
    `{"/":1,"\\/":2}`,
    `{"\\ud83d\\ude00":1,"😀":2}`,
    `[{"a":1,"a":1}]`,
  ])('is duplicate_key: %s', (text) => {
    expect(codeOf(text)).toBe('duplicate_key');
  });

  it('is not one whose name is in another object, in a value or in another normal form', () => {
    const text = '{"é":{"a":1},"e\u0301":{"a":"a"},"b":["a","a"],"c":"\\"a\\":1,\\"a\\":1"}';
    expect(read(text)).toEqual(JSON.parse(text));
  });
});

describe('a number', () => {
  it('that reading would round to a whole one is malformed_json', () => {
    expect(
      codesOf([
        '0.99999999999999999999',
        '0.99999999999999999999e0',
        '99999999999999999999e-20',
        '1.00000000000000000001',
        '9007199254740990.9',
        '1e-400',
        '-0.000000000000000000000000001e-400',
        '10.00000000000000000001E0',
      ]),
    ).toEqual(['malformed_json']);
  });

  it('is the number 1 however it is spelt', () => {
    const spellings = '1, 1.0, 1.000, 1e0, 1E0, 1e+0, 1E-0, 10e-1, 100e-2, 0.1e1, 0.01E+2';
    expect(new Set(read(`[${spellings}]`) as number[])).toEqual(new Set([1]));
  });
});

describe('a nested text', () => {
  it('of more than 32 levels is too_deep, however many there are', () => {
    for (const levels of [33, 50_000]) {
      expect(codeOf('['.repeat(levels) + ']'.repeat(levels))).toBe('too_deep');
    }
    for (const levels of [33, 5000]) {
      expect(codeOf(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)).toBe('too_deep');
    }
    expect(codeOf(`{"page":${'['.repeat(32)}${']'.repeat(32)}}`)).toBe('too_deep');
    expect(codeOf('['.repeat(32) + ']'.repeat(32))).toBe('read');
  });

  it('that does not close, or was never opened, is malformed_json', () => {
    expect(codesOf(['['.repeat(65_536), '{"a":'.repeat(13_000), ']'.repeat(65_536)])).toEqual([
      'malformed_json',
    ]);
  });
});

it.each([
  ['escapes in one string', `"${'\\\\'.repeat(2 ** 19)}"`, 'read'],
  ['one long number', '1'.repeat(2 ** 20), 'read'],
  ['zeros before the last digit', `0.${'0'.repeat(2 ** 20)}1`, 'malformed_json'],
  ['zeros and ones in turn', `1.${'01'.repeat(2 ** 19)}`, 'read'],
])('a long flat text is read in a time that grows with its length: %s', (_what, text, code) => {
  // In steps that grow with the square of it, a megabyte would take minutes.
  expect(codeOf(` ${text}`)).toBe(code);
});

import { assert, constantFrom, jsonValue, property } from 'fast-check';
import { describe, expect, it } from 'vitest';

import { minifyJson } from './json-texts.ts';

describe('a JSON text', () => {
  it.each([
    [
      ' { "a" : [ 1 , 2.50 ,\n\t-0 , 1E400 ] , "a" : null }\r\n',
      '{"a":[1,2.50,-0,1E400],"a":null}',
    ],
    ['" a \\" b "', '" a \\" b "'],
    ['[ "\\\\" , "\\\\\\" " , " " ]', '["\\\\","\\\\\\" "," "]'],
    ['{" ":" \\u0020 "}', '{" ":" \\u0020 "}'],
    ['12345678901234567890.10', '12345678901234567890.10'],
    ['[]', '[]'],
    ['""', '""'],
  ])('loses the white space between its tokens and nothing else: %j', (text, minified) => {
    expect(minifyJson(text)).toBe(minified);
  });

  it('becomes what JSON.stringify writes, however it was laid out', () => {
    assert(
      property(jsonValue(), constantFrom(1, 4, '\t', '\r\n '), (value, space) => {
        expect(minifyJson(JSON.stringify(value, null, space))).toBe(JSON.stringify(value));
      }),
    );
  });

  it('may be long and deep', () => {
    const text = `${'[ '.repeat(100_000)}"${'\\\\'.repeat(500_000)}\\""${' ]'.repeat(100_000)}`;
    expect(minifyJson(text)).toBe(text.replaceAll(' ', ''));
  });
});

import { gzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { cityQuery, sharedService } from './helper.ts';
import { NOT_UTF8, place, PLACES } from './hostile/encodings.ts';
import { NO_TEXTS, NO_VALUES } from './hostile/json-texts.ts';
import { readProblem } from './problem.ts';

const service = await sharedService();
const VALID = JSON.stringify(cityQuery(1, 10));

describe('a body that is no JSON text is malformed_json', () => {
  it.each(NO_VALUES)('where a page number should be: %j', async (text) => {
    expect(
      await service.ask(
        `{"query_model":"cities","query_attributes":["id"],"page":{"page":${text},"size":1}}`,
      ),
    ).toBeProblem('malformed_json');
  });

  it.each(NO_VALUES.filter((text) => text !== ''))(
    'where an attribute should be: %j',
    async (text) => {
      expect(
        await service.ask(
          `{"query_model":"cities","query_attributes":["id" ${text}],"page":{"page":1,"size":1}}`,
        ),
      ).toBeProblem('malformed_json');
    },
  );

  it.each(NO_TEXTS)('as a whole: %j', async (text) => {
    expect(await service.ask(text)).toBeProblem('malformed_json');
  });

  it('when a valid body is cut after any of its bytes', async () => {
    for (let length = 0; length < VALID.length; length++)
      expect(await service.ask(VALID.slice(0, length))).toBeProblem('malformed_json');
  });

  const shortened = Array.from(
    VALID,
    (_letter, index) => VALID.slice(0, index) + VALID.slice(index + 1),
  );
  it.each(shortened.filter((text) => !isJson(text)))(
    'when one byte of a valid body is left out: %s',
    async (text) => {
      expect(await service.ask(text)).toBeProblem('malformed_json');
    },
  );

  it.each([
    ['{bad', 'the error is at line 1, column 2'],
    ['{\n  "query_model": "cities",\n}', 'the error is at line 3, column 1'],
    ['{"query_model": "cities"', 'line 1, column 25'],
    ['{"page": [1,', 'it ends too early'],
    ['{"page": tru}', 'is not a JSON text.'],
  ])('says where the parser found the error: %j', async (text, where) => {
    expect(readProblem(await service.ask(text), 'malformed_json').detail).toContain(where);
  });

  it('says of an empty body that it is empty', async () => {
    expect(readProblem(await service.ask(''), 'malformed_json').detail).toContain('empty');
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('bytes that are not UTF-8 are invalid_encoding', () => {
  for (const [where, template] of PLACES) {
    it.each(NOT_UTF8)(`in ${where}: %s`, async (_what, bytes) => {
      expect(await service.ask(place(template, bytes))).toBeProblem('invalid_encoding');
    });
  }

  it('in UTF-16 and UTF-32 with a byte order mark', async () => {
    const utf16 = Buffer.from(`\ufeff${VALID}`, 'utf16le');
    expect(await service.ask(utf16)).toBeProblem('invalid_encoding');
    expect(await service.ask(Buffer.from(utf16).swap16())).toBeProblem('invalid_encoding');
    expect(await service.ask(Buffer.concat([Buffer.from([0xff, 0xfe, 0, 0]), utf16]))).toBeProblem(
      'invalid_encoding',
    );
  });

  it('unless they are UTF-16 without the mark: these are bytes with NULs, malformed_json', async () => {
    const utf16 = Buffer.from(VALID, 'utf16le');
    expect(await service.ask(utf16)).toBeProblem('malformed_json');
    expect(await service.ask(Buffer.from(utf16).swap16())).toBeProblem('malformed_json');
  });

  it('unless they are UTF-8 with a byte order mark, which is malformed_json (RFC 8259 §8.1)', async () => {
    expect(await service.ask(Buffer.from(`\ufeff${VALID}`))).toBeProblem('malformed_json');
  });

  it('when they are compressed without a content coding', async () => {
    expect(await service.ask(gzipSync(VALID))).toBeProblem('invalid_encoding');
  });
});

describe('a member that is named twice is duplicate_key', () => {
  const rest = '"query_attributes":["id"],"page":{"page":1,"size":1}';
  it.each([
    `{"query_model":"cities","query_model":"cities",${rest}}`,
    `{"query_model":"cities",${rest},"query_model":"other"}`,
    `{"query_model":"cities","\\u0071uery_model":"cities",${rest}}`,
    `{"\\u0071\\u0075ery_model":"cities","query_model":"cities",${rest}}`,
    `{"query_model":"cities","query_attributes":["id"],"page":{"page":1,"size":1,"page":2}}`,
    `{"query_model":"cities","query_attributes":["id"],"page":{"page":1,"size":1,"siz\\u0065":2}}`,
    `{"query_model":"cities","query_attributes":["id"],"page":{"page":1,"size":1},"page":{"page":2,"size":1}}`,
    `{"query_model":"cities",${rest},"x":{"a":{"b":1,"b":2}}}`,
    `{"query_model":"cities",${rest},"x":[{"a":1},{"a":1,"a":1}]}`,
    `{"query_model":"cities",${rest},"__proto__":1,"__proto__":2}`,
    `{"query_model":"cities",${rest},"":1,"":2}`,
    `{"query_model":"cities",${rest},"é":1,"\\u00e9":2}`,
    `{"query_model":"cities",${rest},"\\"":1,"\\u0022":2}`,
    `{"query_model":"cities",${rest},"/":1,"\\/":2}`,
    `{"query_model":"cities",${rest},"\\ud83d\\ude00":1,"😀":2}`,
    `[{"a":1,"a":1}]`,
  ])('%s', async (body) => {
    expect(await service.ask(body)).toBeProblem('duplicate_key');
  });

  it('unless the name is in another object, in a value or in another normal form', async () => {
    const body = '{"é":{"a":1},"e\u0301":{"a":"a"},"b":["a","a"],"c":"\\"a\\":1,\\"a\\":1"}';
    expect(readProblem(await service.ask(body), 'invalid_request').detail).toMatch(/7 errors/);
  });
});

describe('a deeply nested body', () => {
  const LIMIT = 64 * 1024;
  const half = LIMIT / 2 - 1;
  it.each([
    ['arrays up to the body limit', '['.repeat(half) + ']'.repeat(half)],
    ['objects up to the body limit', '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000)],
    ['33 arrays', '['.repeat(33) + ']'.repeat(33)],
    ['33 objects', '{"a":'.repeat(33) + '1' + '}'.repeat(33)],
    [
      '33 levels in the page',
      `{"query_model":"cities","query_attributes":["id"],"page":${'['.repeat(32)}${']'.repeat(32)}}`,
    ],
  ])('is too_deep: %s', async (_title, body) => {
    expect(await service.ask(body)).toBeProblem('too_deep');
  });

  it.each([
    ['arrays that do not close', '['.repeat(LIMIT)],
    ['objects that do not close', '{"a":'.repeat(13_000)],
    ['brackets that were never opened', ']'.repeat(LIMIT)],
  ])('is malformed_json: %s', async (_title, body) => {
    expect(await service.ask(body)).toBeProblem('malformed_json');
  });

  it.each([
    ['500,000 arrays', '['.repeat(500_000)],
    ['500,000 arrays that close', '['.repeat(500_000) + ']'.repeat(500_000)],
    ['150,000 objects', '{"a":'.repeat(150_000)],
    ['one byte past the limit', ' '.repeat(LIMIT + 1)],
    ['1 MiB', 'x'.repeat(1024 * 1024)],
    ['a valid body with 64 KiB of white space', VALID + ' '.repeat(LIMIT)],
  ])('beyond the body limit is body_too_large: %s', async (_title, body) => {
    expect(await service.ask(body)).toBeProblem('body_too_large');
  });

  it('of 32 levels is read, and judged by its members', async () => {
    expect(await service.ask('['.repeat(32) + ']'.repeat(32))).toBeProblem('invalid_type');
  });

  it('is read up to the last byte of the limit', async () => {
    const { statusCode } = await service.ask(VALID + ' '.repeat(LIMIT - VALID.length));
    expect(statusCode).toBe(200);
  });

  it.each([
    ['escapes in one string', `"${'\\\\'.repeat(half - 1)}"`],
    ['one long number', '1'.repeat(LIMIT)],
    ['zeros before the last digit', `0.${'0'.repeat(LIMIT - 3)}1`],
    ['zeros and ones in turn', `1.${'01'.repeat(half - 2)}`],
  ])('and a long flat one are answered at once: %s', async (_title, body) => {
    const started = performance.now();
    const { statusCode } = await service.ask(body);
    expect(statusCode).toBe(400);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

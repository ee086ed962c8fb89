import type { ProblemCode } from '@proj/contract';
import { describe, expect, it } from 'vitest';

import { cityQuery, sharedService } from './helper.ts';
import { readProblem } from './problem.ts';

// strict-json.test.ts decides which texts are read, query.test.ts of the contract which bodies are
// requests, and the engine which names are known.

const service = await sharedService();
const VALID = JSON.stringify(cityQuery(1, 10));
const LIMIT = 64 * 1024;

/** A body with a member replaced, or added, as a text. */
function bodyWith(member: string, value: string): string {
  const members = {
    query_model: '"cities"',
    query_attributes: '["id"]',
    page: '{"page":1,"size":1}',
  };
  const texts = Object.entries({ ...members, [member]: value });
  return `{${texts.map(([name, text]) => `"${name}":${text}`).join(',')}}`;
}

const page = (number: string): string => `{"page":${number},"size":1}`;

const REFUSED: [body: string | Buffer, code: ProblemCode, pointer?: string][] = [
  ['', 'malformed_json'],
  ['{bad', 'malformed_json'],
  [bodyWith('page', page('01')), 'malformed_json'],
  [bodyWith('page', page('0.99999999999999999999')), 'malformed_json'],
  [Buffer.from([0x22, 0xc3, 0x28, 0x22]), 'invalid_encoding'],
  [bodyWith('\\u0071uery_model', '"cities"'), 'duplicate_key'],
  ['['.repeat(33) + ']'.repeat(33), 'too_deep'],
  ['['.repeat(32) + ']'.repeat(32), 'invalid_type', ''],
  [VALID.padEnd(LIMIT + 1), 'body_too_large'],
  ['['.repeat(500_000), 'body_too_large'],
  [bodyWith('page', page('0')), 'out_of_range', '/page/page'],
  [bodyWith('page', page('"1"')), 'invalid_type', '/page/page'],
  [bodyWith('query_attributes', '["id","\\ud800"]'), 'invalid_text', '/query_attributes/1'],
  [bodyWith('query_attributes', '["id","\\u0069d"]'), 'duplicate_attribute', '/query_attributes/1'],
  [bodyWith('a/b~c', 'null'), 'unknown_member', '/a~1b~0c'],
  [bodyWith('\\u005f_proto__', '{"page":1}'), 'unknown_member', '/__proto__'],
  [bodyWith('page', '{"page":1,"size":1,"constructor":{}}'), 'unknown_member', '/page/constructor'],
  [bodyWith('query_model', '"__proto__"'), 'unknown_model', '/query_model'],
  [bodyWith('query_model', '"sqlite_schema"'), 'unknown_model', '/query_model'],
  [bodyWith('query_attributes', '["toString"]'), 'unknown_attribute', '/query_attributes/0'],
  [bodyWith('page', '{"page":1,"size":1001}'), 'size_too_large', '/page/size'],
];

describe('a hostile body', () => {
  it.each(REFUSED)(
    'is refused where it is read, and the reply shows nothing more: %.80s',
    async (body, code, pointer) => {
      expect(await service.ask(body)).toBeProblem(code, pointer);
    },
  );

  it('is read up to the last byte of the limit', async () => {
    expect((await service.ask(VALID.padEnd(LIMIT))).statusCode).toBe(200);
  });

  it('hands nothing down from its prototype', async () => {
    const { errors = [] } = readProblem(
      await service.ask(`{"__proto__":${VALID}}`),
      'invalid_request',
    );
    const codes = errors.map(({ code }) => code);
    expect(new Set(codes)).toEqual(new Set(['unknown_member', 'missing_member']));
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(Reflect.get({}, 'query_model')).toBeUndefined();
  });
});

describe('many errors at once', () => {
  it('are cut where they would fill the reply', async () => {
    const members = Array.from({ length: 5000 }, (_, index) => `"m${index}":1`).join(',');
    const reply = await service.ask(`{${members}}`);
    const { errors = [], detail } = readProblem(reply, 'invalid_request');
    expect(errors).toHaveLength(200);
    expect(detail).toMatch(/5003 errors.*first 200/);
    expect(reply.body.length).toBeLessThan(32 * 1024);
  });
});

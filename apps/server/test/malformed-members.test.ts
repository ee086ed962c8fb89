import type { ProblemCode } from '@proj/contract';
import { describe, expect, it } from 'vitest';

import { cityQuery, sharedService } from './helper.ts';
import { WRONG_BODIES, NO_PAGE_NUMBERS, OBJECT_NAMES, UNUSUAL_ONES } from './hostile/members.ts';
import { readProblem } from './problem.ts';

const service = await sharedService();

describe('what is no page number', () => {
  it.each(NO_PAGE_NUMBERS)('%s is refused as a page with %s', async (text, code) => {
    expect(
      await service.ask(
        `{"query_model":"cities","query_attributes":["id"],"page":{"page":${text},"size":1}}`,
      ),
    ).toBeProblem(code, pointed(code, '/page/page'));
  });

  it.each(NO_PAGE_NUMBERS)('%s is refused as a size with %s', async (text, code) => {
    expect(
      await service.ask(
        `{"query_model":"cities","query_attributes":["id"],"page":{"page":1,"size":${text}}}`,
      ),
    ).toBeProblem(code, pointed(code, '/page/size'));
  });

  it.each(UNUSUAL_ONES)('does not include %s, which is the number 1', async (text) => {
    const reply = await service.ask(
      `{"query_model":"cities","query_attributes":["id"],"page":{"page":${text},"size":${text}}}`,
    );
    expect(reply.json()).toEqual({
      result: [{ id: '1' }],
      page: { page: '1', size: '1', total: '42', has_next: true },
    });
  });
});

describe('a member that is not as the contract says', () => {
  it.each(WRONG_BODIES)('%s is refused with %s', async (body, code, pointer) => {
    expect(await service.ask(body)).toBeProblem(code, pointer);
  });
});

describe('a name that objects have by themselves', () => {
  it.each(OBJECT_NAMES)('is an unknown member of the body: %s', async (name) => {
    expect(
      await service.ask(
        `{"${name}":{"x":1},"query_model":"cities","query_attributes":["id"],"page":{"page":1,"size":1}}`,
      ),
    ).toBeProblem('unknown_member');
  });

  it.each(OBJECT_NAMES)('is an unknown member of the page: %s', async (name) => {
    expect(
      await service.ask(
        `{"query_model":"cities","query_attributes":["id"],"page":{"page":1,"size":1,"${name}":{}}}`,
      ),
    ).toBeProblem('unknown_member');
  });

  it.each(OBJECT_NAMES)('is an unknown model: %s', async (name) => {
    expect(
      await service.ask(
        `{"query_model":"${name}","query_attributes":["id"],"page":{"page":1,"size":1}}`,
      ),
    ).toBeProblem('unknown_model');
  });

  it.each(OBJECT_NAMES)('is an unknown attribute: %s', async (name) => {
    expect(
      await service.ask(
        `{"query_model":"cities","query_attributes":["id","${name}"],"page":{"page":1,"size":1}}`,
      ),
    ).toBeProblem('unknown_attribute');
  });

  it.each([
    '{"__proto__":{"query_model":"cities","query_attributes":["id"],"page":{"page":1,"size":1}}}',
    '{"page":{"__proto__":{"page":1,"size":1}}}',
  ])('hands nothing down: %s', async (body) => {
    const { errors = [] } = readProblem(await service.ask(body), 'invalid_request');
    expect(new Set(errors.map(({ code }) => code))).toEqual(
      new Set(['unknown_member', 'missing_member']),
    );
  });
});

it('no request has changed what objects are', () => {
  expect(
    Object.getOwnPropertyNames(Object.prototype).filter((name) =>
      /^[xa-z]$|page|query|polluted/.test(name),
    ),
  ).toEqual([]);
  expect(Object.keys(Object.prototype)).toEqual([]);
});

describe('text that a database would change', () => {
  const BAD_TEXTS = [
    '\\u0000',
    'a\\u0000b',
    '\\ud800',
    '\\udfff',
    'a\\ud800',
    '\\ud800a',
    '\\udc00\\ud800',
    '\\ud800\\ud800',
    'cities\\u0000',
    'id\\ud83d',
  ];

  it.each(BAD_TEXTS)('is refused as a model: "%s"', async (text) => {
    expect(
      await service.ask(
        `{"query_model":"${text}","query_attributes":["id"],"page":{"page":1,"size":1}}`,
      ),
    ).toBeProblem('invalid_text', '/query_model');
  });

  it.each(BAD_TEXTS)('is refused as an attribute: "%s"', async (text) => {
    const body = `{"query_model":"cities","query_attributes":["id","${text}"],"page":{"page":1,"size":1}}`;
    expect(await service.ask(body)).toBeProblem('invalid_text', '/query_attributes/1');
  });

  it.each(BAD_TEXTS)('is refused as a member\'s name: "%s"', async (text) => {
    expect(
      await service.ask(
        `{"query_model":"cities","query_attributes":["id"],"page":{"page":1,"size":1},"${text}":1}`,
      ),
    ).toBeProblem('unknown_member');
  });
});

describe('many errors at once', () => {
  it('are all listed, under a code for several kinds', async () => {
    const body = {
      query_model: 'citis',
      query_attributes: ['a', 'a'],
      page: { page: 0, size: '10', ofset: 1 },
      sort: [],
    };
    const { errors = [], detail } = readProblem(await service.ask(body), 'invalid_request');
    const found = errors.map(({ pointer, code }) => `${pointer} ${code}`).toSorted();
    expect(found).toEqual([
      '/page/ofset unknown_member',
      '/page/page out_of_range',
      '/page/size invalid_type',
      '/query_attributes/1 duplicate_attribute',
      '/query_model unknown_model',
      '/sort unknown_member',
    ]);
    expect(detail).toContain('6 errors');
  });

  it('of one kind carry the code of that kind', async () => {
    const { errors = [] } = readProblem(
      await service.ask(cityQuery(1, 1, ['nam', 'populatio', 'zzz'])),
      'unknown_attribute',
    );
    expect(errors.map(({ pointer, did_you_mean }) => [pointer, did_you_mean])).toEqual([
      ['/query_attributes/0', 'name'],
      ['/query_attributes/1', 'population'],
      ['/query_attributes/2', undefined],
    ]);
  });

  it('are those of 201 attributes', async () => {
    const names = Array.from({ length: 201 }, (_, index) => `a${index}`);
    const { errors = [] } = readProblem(
      await service.ask(cityQuery(1, 1, names)),
      'too_many_attributes',
    );
    expect(errors).toMatchObject([{ pointer: '/query_attributes', maximum: 200 }]);
  });

  it('are those of 200 attributes that do not exist', async () => {
    const names = Array.from({ length: 200 }, (_, index) => `a${index}`);
    const { errors = [] } = readProblem(
      await service.ask(cityQuery(1, 1, names)),
      'unknown_attribute',
    );
    expect(errors).toHaveLength(200);
  });

  it('are cut where they would fill the reply', async () => {
    const members = Array.from({ length: 5000 }, (_, index) => `"m${index}":1`).join(',');
    const reply = await service.ask(`{${members}}`);
    const { errors = [], detail } = readProblem(reply, 'invalid_request');
    expect(errors).toHaveLength(200);
    expect(detail).toMatch(/5003 errors.*first 200/);
    expect(reply.body.length).toBeLessThan(32 * 1024);
  });

  it('as 12,000 times the same attribute are one error', async () => {
    const reply = await service.ask(
      cityQuery(
        1,
        1,
        Array.from({ length: 12_000 }, () => 'id'),
      ),
    );
    const { errors } = readProblem(reply, 'too_many_attributes');
    expect(errors).toHaveLength(1);
  });

  it('as 250,000 attributes are past the body limit', async () => {
    expect(
      await service.ask(
        cityQuery(
          1,
          1,
          Array.from({ length: 250_000 }, () => 'a'),
        ),
      ),
    ).toBeProblem('body_too_large');
  });
});

it('says which maximum a size has passed', async () => {
  const { errors } = readProblem(await service.ask(cityQuery(1, 1001)), 'size_too_large');
  expect(errors).toMatchObject([{ pointer: '/page/size', code: 'size_too_large', maximum: 1000 }]);
  expect((await service.ask(cityQuery(1, 1000))).statusCode).toBe(200);
});

/** A number that cannot be read has no place in the body: the body itself is refused. */
function pointed(code: ProblemCode, pointer: string): string | undefined {
  return code === 'malformed_json' ? undefined : pointer;
}

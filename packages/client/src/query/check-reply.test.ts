import { pageMetadata, paginate } from '@proj/paging';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { withTotal } from '../../test/contract-service.ts';
import { InvalidReplyError } from '../errors/errors.ts';
import type { AnyQuery } from '../options/query.ts';
import { checkReply } from './check-reply.ts';

const ATTRIBUTES = ['id', 'name'];

/** A conforming reply to a query, for lists and pages of all proportions. */
const answered = fc
  .record({
    total: fc.nat({ max: 60 }),
    page: fc.integer({ min: 1, max: 9 }),
    size: fc.integer({ min: 1, max: 20 }),
  })
  .map(({ total, page, size }) => {
    const records = Array.from({ length: total }, (_, id) => ({ id, name: `n${id}` }));
    return {
      query: { model: 'm', attributes: ATTRIBUTES, page, size },
      body: paginate(records, { page, size }),
    };
  });

/** The same for lists whose total was not asked for, or to a limit around it. */
const uncounted = fc
  .tuple(
    answered,
    fc.oneof(fc.constant('none' as const), fc.integer({ min: -2, max: 2 }), fc.nat({ max: 30 })),
  )
  .map(([{ query, body }, limit]) => {
    const total = Number(body.page.total);
    const upTo = limit === 'none' ? 0 : Math.max(1, total + limit);
    const asked = limit === 'none' ? limit : { up_to: upTo };
    return {
      query: { ...query, total: limit === 'none' ? limit : { upTo } },
      body: { ...body, page: withTotal(body.page, asked) },
    };
  });

describe('a reply without its whole total', () => {
  it('is accepted whenever it follows from a list', () => {
    fc.assert(
      fc.property(uncounted, ({ query, body: { result, page } }) => {
        const reply = checkReply<unknown, bigint | null>(query, { result, page });
        const { total, total_at_least: least } = page;
        expect(reply).toEqual({
          number: query.page,
          records: result,
          total: total === null ? null : BigInt(total),
          totalAtLeast: least === undefined ? null : BigInt(least),
          hasNext: page.has_next,
        });
      }),
    );
  });

  it('is refused where a total was asked for, and a total where none was', () => {
    fc.assert(
      fc.property(uncounted, ({ query, body: { result, page } }) => {
        const refuse = (asked: AnyQuery, metadata: object) =>
          expect(() => checkReply(asked, { result, page: { ...page, ...metadata } })).toThrow(
            InvalidReplyError,
          );
        if (page.total === null) refuse({ ...query, total: 'exact' }, {});
        else refuse({ ...query, total: 'none' }, {});
        refuse({ ...query, total: 'none' }, { total: null, total_at_least: '9' });
        if (page.total !== null) refuse(query, { total_at_least: '9' });
        if (page.total_at_least !== undefined) refuse(query, { total_at_least: undefined });
      }),
    );
  });

  it('is refused with too many records, or with too few before another page', () => {
    fc.assert(
      fc.property(uncounted, ({ query, body: { result, page } }) => {
        const refuse = (records: readonly object[]) =>
          expect(() => checkReply(query, { result: records, page })).toThrow(InvalidReplyError);
        refuse(
          [
            ...result,
            ...Array.from({ length: query.size + 1 }, () => ({ id: 0, name: 'x' })),
          ].slice(0, query.size + 1),
        );
        if (page.has_next) refuse(result.slice(1));
      }),
    );
  });
});

describe('a reply', () => {
  it('is accepted whenever it follows from a list', () => {
    fc.assert(
      fc.property(answered, ({ query, body }) => {
        const { records, total, hasNext } = checkReply(query, body);
        expect(records).toEqual(body.result);
        expect({ total: String(total), has_next: hasNext }).toEqual({
          total: body.page.total,
          has_next: body.page.has_next,
        });
      }),
    );
  });

  it('is refused to any other page, size or list of attributes', () => {
    fc.assert(
      fc.property(answered, ({ query, body }) => {
        const refuse = (other: object) =>
          expect(() => checkReply({ ...query, ...other }, body)).toThrow(InvalidReplyError);
        refuse({ page: query.page + 1 });
        refuse({ size: query.size + 1 });
        if (body.result.length > 0) refuse({ attributes: ['id'] });
        if (body.result.length > 0) refuse({ attributes: [...ATTRIBUTES, 'more'] });
      }),
    );
  });

  it('is refused with a record more or less than its total leaves for the page', () => {
    fc.assert(
      fc.property(answered, ({ query, body: { result, page } }) => {
        expect(() =>
          checkReply(query, { result: [...result, { id: 0, name: 'x' }], page }),
        ).toThrow(InvalidReplyError);
        if (result.length === 0) return;
        expect(() => checkReply(query, { result: result.slice(1), page })).toThrow(
          InvalidReplyError,
        );
      }),
    );
  });

  it('is refused with has_next turned around', () => {
    fc.assert(
      fc.property(answered, ({ query, body: { result, page } }) => {
        expect(() =>
          checkReply(query, { result, page: { ...page, has_next: !page.has_next } }),
        ).toThrow(InvalidReplyError);
      }),
    );
  });
});

describe('an approximate reply', () => {
  const state = { isApproximate: true };

  it('is accepted with any records that fit the page, whatever its total says', () => {
    fc.assert(
      fc.property(fc.oneof(answered, uncounted), fc.nat(20), ({ query, body }, count) => {
        const records = Array.from({ length: query.size + 1 }, (_, id) => ({ id, name: 'x' }));
        const check = (result: readonly object[]) =>
          checkReply<unknown, bigint | null>(query, { ...body, result }, state);
        const fitting = records.slice(0, Math.min(count, query.size));
        expect(check(fitting).records).toEqual(fitting);
        expect(() => check(records)).toThrow(`at most ${query.size} records`);
      }),
    );
  });

  it('may hold no record of the page that was found by one', () => {
    const query = { model: 'm', attributes: ['id'], containing: { id: 1 }, size: 10 };
    const body = { result: [], page: pageMetadata({ page: 3, size: 10 }, 21) };
    expect(checkReply(query, body, state)).toMatchObject({ number: 3, records: [], total: 21n });
    const later = { result: [], page: pageMetadata({ page: 4, size: 10 }, 21) };
    expect(() => checkReply(query, later)).toThrow('/result: expected the record');
  });

  it('is refused to any other page, size or list of attributes', () => {
    fc.assert(
      fc.property(answered, ({ query, body }) => {
        const refuse = (other: object) =>
          expect(() => checkReply({ ...query, ...other }, body, state)).toThrow(InvalidReplyError);
        refuse({ page: query.page + 1 });
        refuse({ size: query.size + 1 });
        if (body.result.length > 0) refuse({ attributes: ['id'] });
      }),
    );
  });
});

it('counts exactly where page times size passes 2^53', () => {
  const query = { model: 'm', attributes: ['id'], page: 2 ** 53 - 1, size: 1 };
  const total = 2n ** 53n - 1n;
  expect(
    checkReply(query, { result: [{ id: 1 }], page: pageMetadata(query, total) }),
  ).toMatchObject({ total, hasNext: false });
  const more = { ...pageMetadata(query, total + 1n), has_next: false };
  expect(() => checkReply(query, { result: [{ id: 1 }], page: more })).toThrow(
    '/page/has_next: expected true',
  );
});

it('names the place, what was expected and what came', () => {
  const query = { model: 'm', attributes: ['id'], page: 1, size: 10 };
  const page = pageMetadata(query, 2);
  const check = (result: unknown[]) => () => checkReply(query, { result, page });
  expect(check([{ id: 1 }])).toThrow(
    'Invalid reply: /result: expected 2 records on page 1 of size 10 with a total of 2; got 1',
  );
  expect(check([{ id: 1 }, {}])).toThrow(
    'Invalid reply: /result/1: expected the requested attribute "id"; got nothing',
  );
  expect(check([{ id: 1, pin: 1 }, { id: 2 }])).toThrow(
    '/result/0: expected the requested attributes only; got "pin"',
  );
  expect(check([{ id: 1 }, 'x'])).toThrow(
    '/result/1: expected a value that the contract allows; got "x"',
  );
});

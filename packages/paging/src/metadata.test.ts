import * as fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';

import { anyTotal, wirePage } from '../test/arbitraries.ts';
import { type PageMetadata, pageMetadata, type PageNumbers, readPageMetadata } from './metadata.ts';

const FIFTY_DIGITS = '9'.repeat(50);

describe('the metadata of a page', () => {
  it('writes the largest legal numbers in full, never with an exponent', () => {
    const metadata = pageMetadata(
      { page: Number.MAX_SAFE_INTEGER, size: Number.MAX_SAFE_INTEGER },
      10n ** 40n,
    );
    expect(metadata).toStrictEqual({
      page: '9007199254740991',
      size: '9007199254740991',
      total: `1${'0'.repeat(40)}`,
      has_next: true,
    });
  });

  it('writes a total of −0 as "0"', () => {
    expect(pageMetadata({ page: 1, size: 10 }, -0).total).toBe('0');
  });

  it('refuses what the arithmetic refuses', () => {
    expect(() => pageMetadata({ page: 0, size: 10 }, 42)).toThrow(RangeError);
    expect(() => pageMetadata({ page: -0, size: 10 }, 42)).toThrow(RangeError);
    expect(() => pageMetadata({ page: 1, size: 2 ** 53 }, 42)).toThrow(RangeError);
    expect(() => pageMetadata({ page: 1, size: 10 }, -1n)).toThrow(RangeError);
    expect(() => pageMetadata({ page: 1, size: 10 }, Number.NaN)).toThrow(RangeError);
  });
});

describe('metadata read back', () => {
  it('is what was written, over the whole legal range', () => {
    fc.assert(
      fc.property(wirePage, anyTotal, ({ page, size }, total) => {
        const hasNext = BigInt(page) * BigInt(size) < total;
        expect(readPageMetadata(pageMetadata({ page, size }, total))).toStrictEqual({
          page: BigInt(page),
          size: BigInt(size),
          total,
          hasNext,
        });
      }),
    );
  });

  it('is what was written as numbers too, where all of them are safe', () => {
    fc.assert(
      fc.property(wirePage, fc.maxSafeNat(), ({ page, size }, total) => {
        const { hasNext, ...numbers } = readPageMetadata(
          pageMetadata({ page, size }, total),
          'number',
        );
        expect(numbers).toStrictEqual({ page, size, total });
        expect(hasNext).toBe(BigInt(page) * BigInt(size) < BigInt(total));
      }),
    );
  });

  it('keeps every digit as bigints, and as numbers is refused past 2^53 − 1', () => {
    const metadata = { page: '1', size: '10', total: FIFTY_DIGITS, has_next: true };
    expect(readPageMetadata(metadata).total).toBe(10n ** 50n - 1n);
    expect(() => readPageMetadata(metadata, 'number')).toThrow(RangeError);
    expect(() => readPageMetadata({ ...metadata, total: '9007199254740992' }, 'number')).toThrow(
      'read it as a bigint',
    );
    expect(readPageMetadata({ ...metadata, total: '9007199254740991' }, 'number').total).toBe(
      Number.MAX_SAFE_INTEGER,
    );
  });

  const notCanonical = [
    '01',
    '00',
    '-1',
    '-0',
    '+1',
    '1e3',
    '1.0',
    '',
    ' 1',
    '1 ',
    '1\n',
    '1n',
    '0x1',
    '1_000',
    '１',
    '٣',
    'NaN',
  ];

  it.each(notCanonical)('is refused where a member is not canonical digits: %j', (text) => {
    const metadata = { page: '1', size: '10', total: '42', has_next: true };
    for (const member of ['page', 'size', 'total']) {
      expect(() => readPageMetadata({ ...metadata, [member]: text })).toThrow(
        `${member}: expected decimal digits`,
      );
      expect(() => readPageMetadata({ ...metadata, [member]: text }, 'number')).toThrow(RangeError);
    }
  });

  it('is refused where an untyped reply carries a number, which JSON may have rounded', () => {
    const reply = JSON.parse(
      '{"page":1,"size":10,"total":9007199254740993,"has_next":true}',
    ) as PageMetadata;
    expect(() => readPageMetadata(reply)).toThrow(RangeError);
  });

  it.each<[unknown, string]>([
    [42n, 'got one of type bigint'],
    [Number.NaN, 'got one of type number'],
    [{ toJSON: () => 42n }, 'got one of type object'],
    [undefined, 'got one of type undefined'],
  ])('is refused with a message where a member is %o', (total, message) => {
    const metadata = { page: '1', size: '10', total: total as string, has_next: true };
    expect(() => readPageMetadata(metadata)).toThrow(
      new RangeError(
        `total: expected decimal digits without leading zeros, such as "42"; ${message}`,
      ),
    );
  });

  it('has the type that was asked for', () => {
    const metadata = pageMetadata({ page: 1, size: 10 }, 42);
    expectTypeOf(readPageMetadata(metadata)).toEqualTypeOf<PageNumbers<bigint>>();
    expectTypeOf(readPageMetadata(metadata, 'bigint')).toEqualTypeOf<PageNumbers<bigint>>();
    expectTypeOf(readPageMetadata(metadata, 'number')).toEqualTypeOf<PageNumbers<number>>();
  });
});

import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { fitPage } from './page-result.ts';

it('cuts pages so that whoever follows them meets every record once, in order', () => {
  const cases = fc.record({
    list: fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 60 }),
    size: fc.integer({ min: 1, max: 20 }),
    most: fc.integer({ min: 50, max: 200 }),
  });
  fc.assert(
    fc.property(cases, ({ list, size, most }) => {
      const met: number[] = [];
      let next = { number: 1, size };
      for (;;) {
        const start = (next.number - 1) * next.size;
        const bytes = list.slice(start, start + next.size);
        const fitted = fitPage(next, bytes, most);
        if (fitted === undefined) throw new Error('each record fits by itself');
        const shown = bytes.slice(0, fitted.size);
        expect((fitted.number - 1) * fitted.size).toBe(start);
        expect(shown.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(most);
        met.push(...shown);
        if (start + shown.length >= list.length) break;
        next = { number: fitted.number + 1, size: fitted.size };
      }
      expect(met).toEqual(list);
    }),
  );
});

it('leaves a page that fits as it is', () => {
  const page = { number: 3, size: 10 };
  expect(fitPage(page, [5, 5], 10)).toEqual(page);
});

it('shows no page of which the first record does not fit', () => {
  expect(fitPage({ number: 1, size: 10 }, [11, 1], 10)).toBeUndefined();
});

it('keeps the place of a page far behind 2^53 records', () => {
  const number = 2 ** 52;
  const bytes = Array.from({ length: 1000 }, () => 1);
  const fitted = fitPage({ number, size: 1000 }, bytes, 500);
  const start = (BigInt(number) - 1n) * 1000n;
  expect(fitted && (BigInt(fitted.number) - 1n) * BigInt(fitted.size)).toBe(start);
});

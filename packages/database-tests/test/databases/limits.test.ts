import { FILTER_LIMITS, MAX_ATTRIBUTES, MAX_SORT_TERMS } from '@proj/contract';
import { EVERYTHING, InvalidQueryError } from '@proj/engine';
import { describe, expect, it } from 'vitest';

import { fixturesOf } from '../fixtures/index.ts';
import { bodyOf, useTables } from './everywhere.ts';
import type { Table } from './tables.ts';

const FIXTURES = fixturesOf(import.meta.filename);

const { depth, leaves, values } = FILTER_LIMITS;

const NUMBERS: Table = {
  name: 'numbers',
  columns: { n: 'int64', t: 'text' },
  rows: Array.from({ length: 300 }, (_, index) => [
    index % 7 === 0 ? null : index,
    `text ${index}`,
  ]),
};
const WIDE: Table = {
  name: 'wide',
  columns: Object.fromEntries(
    Array.from({ length: MAX_ATTRIBUTES }, (_, index) => [`a${index}`, 'int32'] as const),
  ),
  rows: [
    Array.from({ length: MAX_ATTRIBUTES }, (_, index) => (index % 5 === 0 ? null : index)),
    [],
  ],
};

const isOne = { attribute: 'n', op: 'eq', value: 1 };

/** `not not … leaf`, as deep as it says. */
function nested(levels: number): unknown {
  return levels === 1 ? isOne : { not: nested(levels - 1) };
}

describe('on every database', () => {
  const everywhere = useTables([NUMBERS, WIDE], FIXTURES);

  async function errors(filter: unknown): Promise<Set<string>> {
    const body = bodyOf({ model: NUMBERS.name, filter });
    const codes = [...everywhere.engines.values()].map((engine) =>
      engine.query(body, EVERYTHING).then(
        () => 'answered',
        (error: unknown) =>
          error instanceof InvalidQueryError
            ? error.errors.map(({ code }) => code).join(' ')
            : String(error),
      ),
    );
    return new Set(await Promise.all(codes));
  }

  it(`a filter may be ${depth} deep, and no deeper`, async () => {
    expect(await everywhere.ids(NUMBERS.name, nested(depth))).toEqual([2]);
    expect(await errors(nested(depth + 1))).toEqual(new Set(['filter_too_large']));
    const groups = {
      and: [{ or: [{ and: [{ or: [isOne, { attribute: 'n', op: 'eq', value: 2 }] }] }] }],
    };
    expect(await everywhere.ids(NUMBERS.name, groups)).toEqual([2, 3]);
  });

  it(`a filter may have ${leaves} comparisons, and no more`, async () => {
    const parts = Array.from({ length: leaves }, (_, index) => ({
      attribute: 'n',
      op: 'eq',
      value: index * 3,
    }));
    const found = parts.flatMap((_, index) => ((index * 3) % 7 === 0 ? [] : [index * 3 + 1]));
    expect(await everywhere.ids(NUMBERS.name, { or: parts })).toEqual(found);
    expect(await errors({ or: [...parts, isOne] })).toEqual(new Set(['filter_too_large']));
    const excluded = parts.map((part) => ({ not: part }));
    const kept = NUMBERS.rows.flatMap(([n], index) =>
      n === null || (index % 3 === 0 && index < leaves * 3) ? [] : [index + 1],
    );
    expect(await everywhere.ids(NUMBERS.name, { and: excluded })).toEqual(kept);
  });

  it.each([
    ['n', (index: number) => String(index)],
    ['t', (index: number) => `text ${index}`],
  ] as const)(
    `a filter may list ${values} values of %s, and no more`,
    async (attribute, valueOf) => {
      const listed = Array.from({ length: values }, (_, index) => valueOf(index + 100));
      const kept = NUMBERS.rows.flatMap(([n], index) =>
        index < 100 || (attribute === 'n' && n === null) ? [] : [index + 1],
      );
      expect(await everywhere.ids(NUMBERS.name, { attribute, op: 'in', value: listed })).toEqual(
        kept,
      );
      const left = NUMBERS.rows.flatMap(([n], index) =>
        index >= 100 || (attribute === 'n' && n === null) ? [] : [index + 1],
      );
      expect(
        await everywhere.ids(NUMBERS.name, { attribute, op: 'not_in', value: listed }),
      ).toEqual(left);
      expect(await errors({ attribute, op: 'in', value: [...listed, valueOf(1)] })).toEqual(
        new Set(['filter_too_large']),
      );
    },
  );

  it('every limit may be reached at once', async () => {
    const query = {
      attribute: 't',
      op: 'in',
      value: Array.from({ length: values / 2 }, (_, index) => `text ${index * 2}`),
    };
    const others = {
      attribute: 'n',
      op: 'not_in',
      value: Array.from({ length: values / 2 }, (_, index) => `${index * 3}`),
    };
    const matches = Array.from({ length: leaves - 2 }, () => ({
      not: { attribute: 't', op: 'icontains', value: '%' },
    }));
    const filter = { not: { not: { and: [query, others, ...matches] } } };
    const kept = NUMBERS.rows.flatMap(([n], index) =>
      n !== null && index % 2 === 0 && index % 3 !== 0 ? [index + 1] : [],
    );
    expect(await everywhere.ids(NUMBERS.name, filter)).toEqual(kept);
  });

  it(`a record may have ${MAX_ATTRIBUTES} members, and the sort ${MAX_SORT_TERMS} terms`, async () => {
    const attributes = Array.from(
      { length: MAX_ATTRIBUTES },
      (_, index) => `a${MAX_ATTRIBUTES - 1 - index}`,
    );
    const sort = attributes
      .slice(0, MAX_SORT_TERMS)
      .map((attribute) => ({ attribute, direction: 'desc', nulls: 'first' }));
    const { text } = await everywhere.ask({ model: WIDE.name, attributes, sort });
    const nulls = attributes.map((name) => `"${name}":null`);
    const numbers = attributes.map(
      (name) => `"${name}":${Number(name.slice(1)) % 5 === 0 ? 'null' : name.slice(1)}`,
    );
    expect(text).toBe(`[{${nulls.join(',')}},{${numbers.join(',')}}]`);
  });

  it.each([Number.MAX_SAFE_INTEGER, 2 ** 32 + 1, 301])(
    'page %i is past the end, with the true total',
    async (page) => {
      const { text, total } = await everywhere.ask({ model: NUMBERS.name, page, size: 1000 });
      expect({ text, total }).toEqual({ text: '[]', total: '300' });
    },
  );
});

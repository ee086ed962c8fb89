import { MappingError, ReadOnlyError, RowError } from '@proj/grids';
import { reactAdminProvider } from '@proj/grids/react-admin';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { KINDS } from './item-databases.ts';
import { AMOUNTS, CODES, DAYS, NAMES, PRICES } from './item-values.ts';
import {
  compareValues,
  type Item,
  numberOf,
  CASES,
  serveItems,
  someMembers,
  someTerms,
  Outcomes,
} from './items.ts';

const name = fc.constantFrom<string | null>(...NAMES, null);
const amount = fc.constantFrom(...AMOUNTS);
const price = fc.constantFrom(...PRICES);
const day = fc.constantFrom(...DAYS);

const MEMBERS = {
  name: fc.oneof(name, fc.array(name, { maxLength: 3 })),
  name_q: fc.constantFrom('z', 'UG', '%'),
  name_neq: name,
  name_neq_any: fc.array(name, { maxLength: 3 }),
  code_eq: fc.constantFrom(...CODES),
  code_eq_any: fc.array(fc.constantFrom(...CODES), { maxLength: 3 }),
  amount,
  amount_gte: amount,
  amount_lt: amount,
  price_gt: price,
  price_lte: price,
  day_gte: day,
  day: fc.oneof(day, fc.constant(null)),
  active: fc.boolean(),
  q: fc.constantFrom('ug', '1', '%'),
  // What has to be refused.
  author: fc.constant({ name: 'x' }),
};

/** What FakeRest, react-admin's own provider for trying things out, decides of a member. */
function passes(item: Item, member: string, value: unknown): boolean {
  if (member === 'q')
    return [item.name ?? '', item.code].some((text) => text.toLowerCase().includes(String(value)));
  const [, column = '', operator = 'eq'] =
    /^(.*?)(?:_(q|eq|eq_any|neq|neq_any|gt|gte|lt|lte))?$/.exec(member) ?? [];
  const own = column === 'amount' ? numberOf(item.amount) : Reflect.get(item, column);
  const isAny = (Array.isArray(value) ? value : [value]).includes(own);
  if (operator.startsWith('neq')) return !isAny;
  if (operator.startsWith('eq')) return isAny;
  if (own === null) return false;
  if (operator === 'q') return String(own).toLowerCase().includes(String(value).toLowerCase());
  const order = compareValues(own, value);
  return { gt: order > 0, gte: order >= 0, lt: order < 0, lte: order <= 0 }[operator] ?? false;
}

describe.each(KINDS)('react-admin over $name', (kind) => {
  const service = serveItems(kind);

  it('react-admin gets the records that its filters and orders mean', async () => {
    const outcomes = new Outcomes();
    const requests = fc.record({
      filter: someMembers(MEMBERS, 3),
      terms: someTerms,
      page: fc.integer({ min: 1, max: 4 }),
      perPage: fc.integer({ min: 1, max: 40 }),
    });
    const provider = reactAdminProvider(service().client);
    await fc.assert(
      fc.asyncProperty(requests, async ({ filter, terms: [term], page, perPage }) => {
        const found = service().items.filter((item) =>
          Object.entries(filter).every(([member, value]) => passes(item, member, value)),
        );
        const sort = term && {
          field: term.column,
          order: term.descending ? ('DESC' as const) : ('ASC' as const),
        };
        const end = page * perPage;
        await outcomes.answer(
          async () =>
            provider.getList('items', {
              filter,
              pagination: { page, perPage },
              ...(sort && { sort }),
            }),
          (list) =>
            expect(list).toEqual({
              data: service()
                .sorted(found, term ? [term] : [])
                .slice(end - perPage, end),
              total: found.length,
              pageInfo: { hasNextPage: found.length > end, hasPreviousPage: page > 1 },
            }),
        );
      }),
      CASES,
    );
    expect(outcomes.areBoth).toBe(true);
  });

  it('react-admin knows records by a key of two attributes, and finds them by it', async () => {
    const provider = reactAdminProvider(service().client, {
      resources: { sides: { model: 'parts' } },
    });
    const sort = { field: 'id', order: 'DESC' as const };
    const pagination = { page: 1, perPage: 100 };
    const { data, total } = await provider.getList<{ id: string }>('sides', { sort, pagination });
    expect(total).toBe(120);
    const ids = data.map(({ id }) => id);
    expect(new Set(ids).size).toBe(100);
    expect(ids).toContain('["40","[\\"odd\\"]"]');
    const [first = ''] = ids;
    const { data: record } = await provider.getOne('sides', { id: first });
    expect(record).toEqual(data[0]);
    const { data: many } = await provider.getMany<{ id: string }>('sides', { ids });
    expect(new Set(many.map(({ id }) => id))).toEqual(new Set(ids));
    const last = ids.at(-1) ?? '';
    const twice = await provider.getMany<{ id: string }>('sides', {
      ids: [...ids, last, ids[0] ?? ''],
    });
    expect(twice.data.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    const references = await provider.getManyReference('sides', {
      target: 'item',
      id: '7',
      pagination,
    });
    expect(references.total).toBe(3);
  });

  it('react-admin learns that there is no such record, and that nothing is written', async () => {
    const provider = reactAdminProvider(service().client);
    const missing = provider.getOne('items', { id: 4711 });
    await expect(missing).rejects.toThrow(RowError);
    await expect(missing).rejects.toMatchObject({ status: 404 });
    const beyond = '9'.repeat(30);
    await expect(provider.getOne('items', { id: beyond })).rejects.toThrow(RowError);
    const { data } = await provider.getMany<{ id: string }>('items', {
      ids: ['1', beyond, '2', 'x'],
    });
    expect(data.map(({ id }) => id).toSorted()).toEqual(['1', '2']);
    await expect(provider.getOne('parts', { id: 'no list' })).rejects.toMatchObject({
      status: 404,
    });
    await expect(provider.update()).rejects.toThrow(ReadOnlyError);
    await expect(provider.deleteMany()).rejects.toThrow('Dynamic Query only reads');
  });

  it('react-admin gives its signal on', async () => {
    const signal = AbortSignal.abort(new Error('gone'));
    const provider = reactAdminProvider(service().client);
    await expect(provider.getList('items', { signal })).rejects.toThrow('gone');
    const filter = { nested: { name: 'x' } };
    await expect(provider.getList('items', { filter })).rejects.toThrow(MappingError);
  });
});

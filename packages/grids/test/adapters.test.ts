import { muiDataSource } from '@proj/grids/mui-x';
import { reactAdminProvider } from '@proj/grids/react-admin';
import { describe, expect, it } from 'vitest';

import { ADAPTERS } from './adapters.ts';
import { KINDS } from './item-databases.ts';
import { type Items, serveItems } from './items.ts';

const GRIDS = Object.entries(ADAPTERS);

/** A grid of parts with a column named by a path, beside those of the key. */
const WITH_PATH = { model: 'parts', attributes: ['whole.name'] } as const;

/**
 * The key's first part and the path of each row of {@link WITH_PATH} whose item has an amount of at
 * least 1, by the name of the item, downwards.
 */
function cellsWithPath({ items, sorted }: Items): unknown[][] {
  const found = items.filter(({ id, amount }) => Number(id) <= 40 && Number(amount) >= 1);
  return sorted(found, [{ column: 'name', descending: true }]).flatMap(({ id, name }) =>
    Array.from({ length: 3 }, () => [id, name]),
  );
}

describe.each(KINDS)('columns named by a path over $name', (kind) => {
  const service = serveItems(kind);

  it.each(GRIDS)('%s shows one, and sorts and filters by it', async (_grid, open) => {
    const { rows } = await open(service().client, WITH_PATH).read({
      sort: ['whole.name', 'desc'],
      atLeast: ['whole.amount', 1],
      size: 200,
    });
    const cells = rows.map((row) => [row['item'], row['whole.name']]);
    expect(cells).toEqual(cellsWithPath(service()));
  });

  it('react-admin filters by one from a form, which puts it into an object', async () => {
    const provider = reactAdminProvider(service().client, { resources: { sides: WITH_PATH } });
    const { data } = await provider.getList<Record<string, unknown>>('sides', {
      filter: { whole: { amount_gte: 1, name: undefined } },
      sort: { field: 'whole.name', order: 'DESC' },
      pagination: { page: 1, perPage: 200 },
    });
    const cells = data.map((row) => [row['item'], row['whole.name']]);
    expect(cells).toEqual(cellsWithPath(service()));
  });
});

const service = serveItems();

const ITEMS = {
  model: 'items',
  attributes: ['code'],
  related: {
    parts_count: { related: 'parts', op: 'count' },
    last_side: { related: 'parts', op: 'max', attribute: 'side' },
  },
} as const;

describe('counts of related records', () => {
  it.each(GRIDS)('%s shows, filters and sorts by them', async (_grid, open) => {
    const { read } = open(service().client, ITEMS);
    const most = await read({
      atLeast: ['parts_count', 3],
      contains: ['last_side', 'IGH'],
      sort: ['id', 'desc'],
      size: 2,
    });
    const counted = { parts_count: 3n, last_side: 'right' };
    expect(most.total).toBe(40);
    expect(most.rows).toMatchObject([
      { id: '40', ...counted },
      { id: '39', ...counted },
    ]);
    const least = await read({ sort: ['parts_count', 'asc'], size: 1 });
    expect(least.rows).toMatchObject([{ id: '41', parts_count: 0n, last_side: null }]);
  });

  it('react-admin has them in a record too', async () => {
    const provider = reactAdminProvider(service().client, { resources: { things: ITEMS } });
    const { data } = await provider.getOne<Record<string, unknown>>('things', { id: '7' });
    expect(data['parts_count']).toBe(3n);
  });

  it('are named where the service does not have them', async () => {
    const wrong = { model: 'items', related: { n: { related: 'visits', op: 'count' } } } as const;
    const source = muiDataSource(service().client, wrong);
    const all = { filterModel: { items: [] }, sortModel: [], start: 0, end: 1 };
    await expect(source.getRows(all)).rejects.toThrow('"visits"');
  });
});

it.each(
  GRIDS.flatMap(([grid, open]) => [
    [grid, 'not counted', 'none', open] as const,
    [grid, 'counted up to 5', { upTo: 5 }, open] as const,
  ]),
)(
  '%s shows the end of a list that is %s when it asks for a block behind it',
  async (...[, , total, open]) => {
    const { read } = open(service().client, { model: 'parts', total });
    expect((await read({ start: 1000 })).total).toBe(120);
  },
);

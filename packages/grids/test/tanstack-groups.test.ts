import * as table from '@tanstack/table-core';
import { storeReactivityBindings } from '@tanstack/table-core/store-reactivity-bindings';
import type { DynamicQueryClient } from '@proj/client';
import { MappingError } from '@proj/grids';
import { groupedRowModel, type GroupedState, tableSource } from '@proj/grids/tanstack-table';
import { describe, expect, it } from 'vitest';

import { KINDS } from './item-databases.ts';
import { type Item, numberOf, serveItems } from './items.ts';

const PAGE = { pageIndex: 0, pageSize: 100 };

describe.each(KINDS)('groups of TanStack Table over $name', (kind) => {
  const service = serveItems(kind);

  const source = (): ReturnType<typeof itemsOf> => itemsOf(service().client);

  it('groups have exact counts and sums, and expand level by level to their records', async () => {
    const state = {
      pagination: PAGE,
      grouping: ['active', 'code'],
      columnFilters: [{ id: 'amount', value: [0, undefined] }],
    };
    const read = async (ids: readonly string[]) =>
      source()
        .groupedQueryOptions({
          ...state,
          expanded: Object.fromEntries(ids.map((id) => [id, true])),
        })
        .queryFn({});
    const found = service().items.filter(({ amount }) => Number(amount) >= 0 && amount !== null);
    const outer = await read([]);
    expect(outer.rowCount).toBe(new Set(found.map(({ active }) => active)).size);
    const outerIds = outer.rows.map(({ $group }) => $group?.id ?? '');
    expect(outerIds).toContain('active:null');
    const inner = (await read(outerIds)).rows.flatMap(({ $group }) => $group?.rows ?? []);
    const innerIds = inner.map(({ $group }) => $group?.id ?? '');
    const whole = await read([...outerIds, ...innerIds]);
    const leaves: unknown[] = [];
    for (const { active, $group, ...values } of whole.rows) {
      const inside = found.filter((item) => item.active === active);
      expect(values).toEqual(shown(inside));
      expect($group?.rowCount).toBe(new Set(inside.map(({ code }) => code)).size);
      for (const { $group: deep, ...row } of $group?.rows ?? []) {
        const records = inside.filter((item) => item.code === row.code);
        expect(row).toEqual({ active, code: row.code, ...shown(records) });
        expect([deep?.rowCount, deep?.rows]).toEqual([records.length, records]);
        leaves.push(...(deep?.rows ?? []));
      }
    }
    expect(leaves).toHaveLength(found.length);
  });

  it('groups lie in pages of their own, and so does what each holds', async () => {
    const { items, sorted } = service();
    const sorting = [
      { id: 'code', desc: true },
      { id: 'amount', desc: true },
    ];
    const state = { grouping: ['code'], sorting, pagination: { pageIndex: 1, pageSize: 2 } };
    const codes = [...new Set(items.map(({ code }) => code))].toSorted().toReversed().slice(2, 4);
    const [first = ''] = codes;
    const id = `code:${JSON.stringify(first)}`;
    const page = await source()
      .groupedQueryOptions({
        ...state,
        expanded: { [id]: true },
        groupPagination: { [id]: { pageIndex: 1, pageSize: 3 } },
      })
      .queryFn({});
    expect([page.rowCount, page.pageCount, page.hasNext]).toEqual([5, 3, true]);
    expect(page.rows.map(({ code }) => code)).toEqual(codes);
    const inside = items.filter(({ code }) => code === first);
    expect(page.rows[0]?.$group).toMatchObject({
      rowCount: inside.length,
      rows: sorted(inside, [{ column: 'amount', descending: true }]).slice(3, 6),
    });
    const bySum = await source()
      .groupedQueryOptions({ ...state, sorting: [{ id: 'amount', desc: true }], pagination: PAGE })
      .queryFn({});
    const sums = bySum.rows.map(({ amount }) => Number(amount));
    expect(sums).toEqual(sums.toSorted((one, other) => other - one));
  });

  it('the table takes the groups of the service as its own', async () => {
    const id = 'whole.code:"1"';
    const parts = tableSource(service().client, {
      model: 'parts',
      attributes: ['whole.code', 'whole.amount'],
      aggregationFns: { 'whole.amount': 'sum' },
    });
    const state = { grouping: ['whole.code'], expanded: { [id]: true } };
    const { rows } = await parts.groupedQueryOptions({ ...state, pagination: PAGE }).queryFn({});
    const shownTable = table.constructTable({
      features: table.tableFeatures({
        coreReactivityFeature: storeReactivityBindings(),
        columnGroupingFeature: table.columnGroupingFeature,
        rowExpandingFeature: table.rowExpandingFeature,
        groupedRowModel: groupedRowModel(),
        expandedRowModel: table.createExpandedRowModel(),
      }),
      data: rows,
      columns: [
        { id: 'whole.code', accessorFn: (row) => row['whole.code'] },
        { id: 'whole.amount', accessorFn: (row) => row['whole.amount'] },
      ],
      initialState: state,
      getRowId: parts.getGroupedRowId,
      getSubRows: (row) => row.$group?.rows,
      getRowCanExpand: (row) => row.getIsGrouped(),
    });
    const lines = shownTable.getRowModel().rows.map((row) => ({
      group: row.getIsGrouped() ? row.groupingValue : null,
      expands: row.getCanExpand(),
      code: row.getValue('whole.code'),
      amount: numberOf(row.getValue('whole.amount')),
    }));
    const wholes = service().items.filter((item) => Number(item.id) <= 40);
    const codes = [...new Set(wholes.map(({ code }) => code))].toSorted();
    expect(lines).toEqual(
      codes.flatMap((code) => {
        const inside = wholes.filter((item) => item.code === code);
        const amounts = inside.map(({ amount }) => Number(amount) * 3);
        const amount = amounts.reduce((sum, one) => sum + one, 0);
        const records = code === '1' ? inside.flatMap((one) => [one, one, one].map(lineOf)) : [];
        return [{ group: code, expands: true, code, amount }, ...records];
      }),
    );
    expect(new Set(shownTable.getRowModel().rows.map((row) => row.id)).size).toBe(lines.length);
  });

  it('groups that cannot be had are refused by their names', async () => {
    const ask = async (state: Partial<GroupedState>) =>
      source()
        .groupedQueryOptions({ pagination: PAGE, grouping: ['code'], ...state })
        .queryFn({});
    await expect(ask({ expanded: true })).rejects.toThrow(MappingError);
    await expect(ask({ grouping: ['nobody'] })).rejects.toThrow(/group of "nobody"/);
    const median = tableSource(service().client, {
      model: 'items',
      aggregationFns: { amount: 'median' as 'mean' },
    });
    const options = median.groupedQueryOptions({ pagination: PAGE, grouping: ['code'] });
    await expect(options.queryFn({})).rejects.toThrow(
      'TanStack Table: the aggregationFn "median" of "amount": the service does not compute it. ' +
        'Instead: sum, mean, min, max, count.',
    );
  });
});

function itemsOf(client: DynamicQueryClient) {
  return tableSource(client, {
    model: 'items',
    aggregationFns: { amount: 'sum', id: 'count', price: 'max' },
  });
}

/** What groups of these items show. */
function shown(items: readonly Item[]): object {
  const amounts = items.flatMap(({ amount }) => (amount === null ? [] : [Number(amount)]));
  const prices = items.flatMap(({ price }) => (price === null ? [] : [price]));
  return {
    id: items.length,
    amount: amounts.length > 0 ? String(amounts.reduce((sum, one) => sum + one, 0)) : null,
    price: prices.length > 0 ? Math.max(...prices) : null,
  };
}

/** How the table shows an item's part. */
function lineOf({ code, amount }: Item): object {
  return { group: null, expands: false, code, amount: numberOf(amount) };
}

import { MappingError } from '@proj/grids';
import { infiniteDatasource } from '@proj/grids/ag-grid';
import { muiDataSource } from '@proj/grids/mui-x';
import { reactAdminProvider } from '@proj/grids/react-admin';
import { refineProvider } from '@proj/grids/refine';
import { type FilterFnName, tableSource } from '@proj/grids/tanstack-table';
import { describe, expect, it } from 'vitest';

import { serveItems } from './items.ts';

const service = serveItems();

/** Asks a grid's adapter for the ids of the notes that pass a condition. */
type Find<Condition> = (condition: Condition) => Promise<string[]>;

interface AgAsked {
  readonly filter: { readonly type: string; readonly filter?: string };
  /** Of the column's definition; without it the grid does not know definitions. */
  readonly filterParams?: object;
}

const findByAgGrid: Find<AgAsked> = async ({ filter, filterParams }) =>
  new Promise((resolve, reject) => {
    infiniteDatasource(service().client, { model: 'notes', onError: reject }).getRows({
      startRow: 0,
      endRow: 10,
      sortModel: [],
      filterModel: { note: { filterType: 'text', ...filter } },
      api: {
        getColumnDef: () => ({ filterParams }),
        isModuleRegistered: () => filterParams !== undefined,
      },
      successCallback: (rows) => resolve(rows.map(({ id }) => String(id))),
      failCallback: () => undefined,
    });
  });

interface MuiAsked {
  readonly operator: string;
  readonly value?: unknown;
  readonly caseSensitive?: boolean;
}

const findByMui: Find<MuiAsked> = async ({ operator, value, caseSensitive = false }) => {
  const source = muiDataSource(service().client, { model: 'notes', caseSensitive });
  const filterModel = { items: [{ field: 'note', operator, value }] };
  const { rows } = await source.getRows({ filterModel, sortModel: [], start: 0, end: 9 });
  return rows.map(({ id }) => String(id));
};

const findByTable: Find<readonly [FilterFnName, unknown]> = async ([name, value]) => {
  const filterFns = { note: name };
  const source = tableSource(service().client, { model: 'notes', filterFns });
  const pagination = { pageIndex: 0, pageSize: 10 };
  const state = { pagination, columnFilters: [{ id: 'note', value }] };
  const { rows } = await source.queryOptions(state).queryFn({});
  return rows.map(({ id }) => String(id));
};

const findByAdmin: Find<Readonly<Record<string, unknown>>> = async (filter) => {
  const { data } = await reactAdminProvider(service().client).getList<{ id: string }>('notes', {
    filter,
  });
  return data.map(({ id }) => id);
};

const findByRefine: Find<{ operator: string; value: unknown }> = async (condition) => {
  const filters = [{ field: 'note', ...condition }];
  const { data } = await refineProvider(service().client).getList<{ id: string }>({
    resource: 'notes',
    filters,
  });
  return data.map(({ id }) => id);
};

// The notes are 'Zug', 'zug', NULL, '', two blanks, and '1', in the order of their ids from 1.
describe('whole texts, which grids by themselves compare in any letter case', () => {
  it('AG Grid finds them in any letter case unless the column is case-sensitive', async () => {
    const filter = { type: 'equals', filter: 'ZUG' };
    expect(await findByAgGrid({ filter, filterParams: {} })).toEqual(['1', '2']);
    expect(await findByAgGrid({ filter })).toEqual(['1', '2']);
    const other = { type: 'notEqual', filter: 'ZUG' };
    expect(await findByAgGrid({ filter: other })).toEqual(['3', '4', '5', '6']);
    const exact = { type: 'equals', filter: 'Zug' };
    const filterParams = { caseSensitive: true };
    expect(await findByAgGrid({ filter: exact, filterParams })).toEqual(['1']);
    expect(await findByAgGrid({ filter: { type: 'equals', filter: '1' } })).toEqual(['6']);
  });

  it('MUI X finds them in any letter case unless its data source is case-sensitive', async () => {
    const equals = { operator: 'equals', value: 'Zug' };
    expect(await findByMui(equals)).toEqual(['1', '2']);
    expect(await findByMui({ ...equals, caseSensitive: true })).toEqual(['1']);
    expect(await findByMui({ operator: 'isAnyOf', value: ['ZUG', '1'] })).toEqual(['1', '2', '6']);
    expect(await findByMui({ ...equals, operator: 'doesNotEqual' })).toEqual(['3', '4', '5', '6']);
  });

  it('TanStack Table finds them as its filter function says', async () => {
    expect(await findByTable(['equalsString', 'Zug'])).toEqual(['1', '2']);
    expect(await findByTable(['equalsStringSensitive', 'Zug'])).toEqual(['1']);
  });

  it('more than a filter may compare with are refused with what to set instead', async () => {
    const value = Array.from({ length: 51 }, (_, index) => `zug ${index}`);
    const asked = findByMui({ operator: 'isAnyOf', value });
    await expect(asked).rejects.toThrow(MappingError);
    await expect(asked).rejects.toThrow('at most 50 texts in any letter case');
    expect(await findByMui({ operator: 'isAnyOf', value, caseSensitive: true })).toEqual([]);
  });

  it('react-admin and Refine compare them exactly themselves, so that nothing is refused', async () => {
    expect(await findByAdmin({ note: 'Zug' })).toEqual(['1']);
    expect(await findByRefine({ operator: 'eq', value: 'Zug' })).toEqual(['1']);
    expect(await findByRefine({ operator: 'eqs', value: 'zug' })).toEqual(['2']);
  });
});

describe('texts that a grid takes for blank', () => {
  it('AG Grid finds NULL and the empty text, and counts blanks alone as a text', async () => {
    expect(await findByAgGrid({ filter: { type: 'blank' } })).toEqual(['3', '4']);
    expect(await findByAgGrid({ filter: { type: 'notBlank' } })).toEqual(['1', '2', '5', '6']);
  });

  it('MUI X finds NULL and the empty text, as its own operators do', async () => {
    expect(await findByMui({ operator: 'isEmpty' })).toEqual(['3', '4']);
    expect(await findByMui({ operator: 'isNotEmpty' })).toEqual(['1', '2', '5', '6']);
  });

  it('TanStack Table finds NULL and the empty text, and counts blanks alone as a text', async () => {
    expect(await findByTable(['empty', true])).toEqual(['3', '4']);
    expect(await findByTable(['notEmpty', true])).toEqual(['1', '2', '5', '6']);
  });

  it('react-admin and Refine have NULL and the empty text each by itself', async () => {
    expect(await findByAdmin({ note: null })).toEqual(['3']);
    expect(await findByAdmin({ note: '' })).toEqual(['4']);
    expect(await findByRefine({ operator: 'null', value: true })).toEqual(['3']);
    expect(await findByRefine({ operator: 'eq', value: '' })).toEqual(['4']);
  });
});

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

/** What a refusal says to use instead. */
async function refusal(asked: Promise<string[]>): Promise<string> {
  await expect(asked).rejects.toThrow(MappingError);
  return asked.then(String, (error: MappingError) => error.facts.instead);
}

/** The grid calls it; the adapter does not know with what. */
const parameters = (): object => ({ caseSensitive: true });

// The notes are 'Zug', 'zug', NULL, '', two blanks, and '1', in the order of their ids from 1.
describe('whole texts, which the service compares exactly', () => {
  it('AG Grid compares them once the column is case-sensitive, as its refusal says', async () => {
    const filter = { type: 'equals', filter: 'Zug' };
    const setting = '`filterParams: { caseSensitive: true }`';
    expect(await refusal(findByAgGrid({ filter, filterParams: {} }))).toMatch(
      new RegExp(`^${setting} in the definition of the column, or`.replaceAll(/[{}]/g, '\\$&')),
    );
    const common = `${setting} among the options of the data source`;
    expect(await refusal(findByAgGrid({ filter }))).toContain(common);
    expect(await refusal(findByAgGrid({ filter, filterParams: parameters }))).toContain(common);
    expect(await findByAgGrid({ filter, filterParams: { caseSensitive: true } })).toEqual(['1']);
    expect(await findByAgGrid({ filter: { type: 'equals', filter: '1' } })).toEqual(['6']);
  });

  it('MUI X compares them once its data source is case-sensitive, as its refusal says', async () => {
    const equals = { operator: 'equals', value: 'Zug' };
    expect(await refusal(findByMui(equals))).toMatch(
      /^the option `caseSensitive: true` of the data source, or/,
    );
    expect(await findByMui({ ...equals, caseSensitive: true })).toEqual(['1']);
  });

  it('TanStack Table compares them by the filter function that its refusal names', async () => {
    expect(await refusal(findByTable(['equalsString', 'Zug']))).toMatch(
      /^the filter function `equalsStringSensitive`, or/,
    );
    expect(await findByTable(['equalsStringSensitive', 'Zug'])).toEqual(['1']);
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

import type { GridClient } from '@proj/grids';
import { infiniteDatasource, type AgFilterParams } from '@proj/grids/ag-grid';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { KINDS } from './item-databases.ts';
import { AMOUNTS, CODES, DAYS, NAMES, PRICES, TIMES } from './item-values.ts';
import {
  type Item,
  joined,
  numberOf,
  CASES,
  serveItems,
  someBlock,
  someTerms,
  someMembers,
} from './items.ts';

interface Condition {
  readonly filterType: string;
  readonly type: string;
  readonly filter?: string | number;
  readonly filterTo?: string | number;
  readonly dateFrom?: string;
  readonly dateTo?: string;
  readonly values?: (string | null)[];
}

const SCALAR = [
  'equals',
  'notEqual',
  'lessThan',
  'lessThanOrEqual',
  'greaterThan',
  'greaterThanOrEqual',
];

const textCondition = fc.record({
  filterType: fc.constant('text'),
  type: fc.constantFrom(
    'contains',
    'notContains',
    'startsWith',
    'endsWith',
    'equals',
    'notEqual',
    'blank',
    'notBlank',
  ),
  filter: fc.constantFrom(...NAMES, ...CODES, 'z', 'UG', '%', '_'),
});

const numberCondition = (values: readonly number[]) =>
  fc.record({
    filterType: fc.constant('number'),
    type: fc.constantFrom(...SCALAR, 'inRange', 'blank', 'notBlank'),
    filter: fc.constantFrom(...values),
    filterTo: fc.constantFrom(...values),
  });

const dateCondition = (values: readonly string[]) =>
  fc.record({
    filterType: fc.constant('date'),
    type: fc.constantFrom(...SCALAR, 'inRange', 'blank', 'notBlank'),
    dateFrom: fc.constantFrom(...values),
    dateTo: fc.constantFrom(...values),
  });

const setCondition = fc.record({
  filterType: fc.constant('set'),
  type: fc.constant('set'),
  values: fc.uniqueArray(fc.constantFrom<string | null>(...NAMES, null), { maxLength: 4 }),
});

const columnModel = (condition: fc.Arbitrary<Condition>): fc.Arbitrary<unknown> =>
  fc.oneof(
    condition,
    fc.record({
      operator: fc.constantFrom('AND', 'OR'),
      conditions: fc.array(condition, { minLength: 2, maxLength: 3 }),
    }),
  );

const COLUMNS = {
  name: columnModel(fc.oneof(textCondition, textCondition, setCondition)),
  code: columnModel(textCondition),
  amount: columnModel(numberCondition(AMOUNTS)),
  price: columnModel(numberCondition(PRICES)),
  day: columnModel(dateCondition(DAYS)),
  at: columnModel(dateCondition([...DAYS, ...TIMES])),
};

const filterModel = someMembers(COLUMNS, 3);

const filterParams: fc.Arbitrary<AgFilterParams> = fc.record(
  {
    caseSensitive: fc.boolean(),
    inRangeInclusive: fc.boolean(),
    includeBlanksInEquals: fc.boolean(),
    includeBlanksInNotEqual: fc.boolean(),
    includeBlanksInLessThan: fc.boolean(),
    includeBlanksInGreaterThan: fc.boolean(),
    includeBlanksInRange: fc.boolean(),
  },
  { requiredKeys: [] },
);

/**
 * What the grid's own filters decide of a cell:
 * https://www.ag-grid.com/javascript-data-grid/filter-conditions/.
 */
function passes(item: Item, column: keyof Item, model: unknown, params: AgFilterParams): boolean {
  const { operator, conditions } = model as { operator?: string; conditions?: Condition[] };
  if (conditions)
    return joined(
      conditions.map((one) => passes(item, column, one, params)),
      operator === 'OR',
    );
  const condition = model as Condition;
  const value = item[column];
  if (condition.filterType === 'text') return passesText(value as string | null, condition, params);
  if (condition.filterType === 'set') {
    // The empty text is behind the entry "(Blanks)" too, which is null.
    const entry = (one: string | null | undefined): string | null =>
      (params.caseSensitive === true ? one : one?.toLowerCase()) || null;
    return (condition.values ?? []).map(entry).includes(entry(value as string | null));
  }
  if (condition.filterType === 'number') {
    const { filter, filterTo } = condition;
    return passesScalar(numberOf(value), { condition, from: filter, to: filterTo, params });
  }
  const { dateFrom = '', dateTo = '' } = condition;
  const moment = value === null ? null : momentOf(String(value));
  // Without a time in the model, the grid compares days.
  const [from, to] = [dateFrom, dateTo].map((text) => ({ text, moment: momentOf(text) }));
  const compare = (than: typeof from): number =>
    moment === null || !than ? 0 : (than.text.length === 10 ? dayOf(moment) : moment) - than.moment;
  return passesScalar(moment, {
    condition,
    compareFrom: compare(from),
    compareTo: compare(to),
    params,
  });
}

function momentOf(text: string): number {
  return new Date(text.length === 10 ? `${text}T00:00:00` : text.replace(' ', 'T')).getTime();
}

function dayOf(moment: number): number {
  return new Date(moment).setHours(0, 0, 0, 0);
}

interface Comparison {
  readonly condition: Condition;
  readonly from?: unknown;
  readonly to?: unknown;
  readonly compareFrom?: number;
  readonly compareTo?: number;
  readonly params: AgFilterParams;
}

function passesScalar(value: number | null, comparison: Comparison): boolean {
  const {
    condition: { type },
    params,
  } = comparison;
  if (value === null)
    return (
      type === 'blank' ||
      (type === 'equals' && params.includeBlanksInEquals === true) ||
      (type === 'notEqual' && params.includeBlanksInNotEqual === true) ||
      (type.startsWith('less') && params.includeBlanksInLessThan === true) ||
      (type.startsWith('greater') && params.includeBlanksInGreaterThan === true) ||
      (type === 'inRange' && params.includeBlanksInRange === true)
    );
  const { compareFrom: from = value - Number(comparison.from) } = comparison;
  const { compareTo: to = value - Number(comparison.to) } = comparison;
  const results: Readonly<Record<string, boolean>> = {
    blank: false,
    notBlank: true,
    equals: from === 0,
    notEqual: from !== 0,
    lessThan: from < 0,
    lessThanOrEqual: from <= 0,
    greaterThan: from > 0,
    greaterThanOrEqual: from >= 0,
    inRange: params.inRangeInclusive === true ? from >= 0 && to <= 0 : from > 0 && to < 0,
  };
  return results[type] ?? expect.fail(type);
}

function passesText(
  value: string | null,
  condition: Condition,
  { caseSensitive = false }: AgFilterParams,
): boolean {
  const { type } = condition;
  if (type === 'blank') return value === null || value === '';
  if (type === 'notBlank') return value !== null && value !== '';
  if (value === null) return type === 'notEqual' || type === 'notContains';
  const [cell = '', text = ''] = [value, String(condition.filter)].map((one) =>
    caseSensitive ? one : one.toLowerCase(),
  );
  const results: Readonly<Record<string, boolean>> = {
    contains: cell.includes(text),
    notContains: !cell.includes(text),
    startsWith: cell.startsWith(text),
    endsWith: cell.endsWith(text),
    equals: cell === text,
    notEqual: cell !== text,
  };
  return results[type] ?? expect.fail(type);
}

interface RowsRequest {
  readonly params: AgFilterParams;
  /** Whether the parameters are in the definitions of the columns, or given to the adapter. */
  readonly inColumns: boolean;
  readonly filterModel: object;
  readonly sortModel: { colId: string; sort: 'asc' | 'desc' }[];
  readonly start: number;
  readonly end: number;
}

/** Asks a data source for a block, as the grid does. */
async function rowsOf(
  client: GridClient,
  { params, inColumns, filterModel: model, sortModel, start, end }: RowsRequest,
): Promise<{ rows: unknown[]; last: number | undefined }> {
  let problem: unknown;
  const datasource = infiniteDatasource(client, {
    model: 'items',
    ...(!inColumns && { filterParams: params }),
    onError: (error) => (problem = error),
  });
  return new Promise((resolve, reject) => {
    datasource.getRows({
      startRow: start,
      endRow: end,
      sortModel,
      filterModel: model,
      api: {
        getColumnDef: () => ({ filterParams: params }),
        isModuleRegistered: () => inColumns,
      },
      successCallback: (rows, last) => resolve({ rows, last }),
      failCallback: () => reject(problem),
    });
  });
}

describe.each(KINDS)('AG Grid over $name', (kind) => {
  const service = serveItems(kind);

  it('AG Grid gets the rows that its filters and orders mean, in blocks at any place', async () => {
    const models = fc.record({
      filterModel,
      filterParams,
      terms: someTerms,
      block: someBlock,
      inColumns: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        models,
        async ({ filterModel: model, filterParams: params, terms, block, inColumns }) => {
          const found = service().items.filter((item) =>
            Object.entries(model).every(([column, one]) =>
              passes(item, column as keyof Item, one, params),
            ),
          );
          const sortModel = terms.map(({ column, descending }) => ({
            colId: column,
            sort: descending ? ('desc' as const) : ('asc' as const),
          }));
          const { rows, last } = await rowsOf(service().client, {
            params,
            inColumns,
            filterModel: model,
            sortModel,
            ...block,
          });
          expect(rows).toEqual(service().sorted(found, terms).slice(block.start, block.end));
          expect(last).toBe(found.length);
        },
      ),
      CASES,
    );
  });
});

import {
  getGridBooleanOperators,
  getGridDateOperators,
  getGridNumericOperators,
  getGridSingleSelectOperators,
  getGridStringOperators,
  type GridFilterOperator,
} from '@mui/x-data-grid';
import { type MuiFilterItem, muiDataSource, type MuiFilterModel } from '@proj/grids/mui-x';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { KINDS } from './item-databases.ts';
import { AMOUNTS, CODES, DAYS, NAMES, PRICES, TIMES } from './item-values.ts';
import { type Item, joined, numberOf, CASES, serveItems, someBlock, someTerms } from './items.ts';

type Operators = readonly GridFilterOperator[];

/** How the grid shows a column: its operators, and the value that they get. */
interface Shown {
  readonly operators: Operators;
  readonly valueOf: (value: unknown) => unknown;
}

/** Moments of the reader's clock. */
function moment(value: unknown): Date | null {
  if (typeof value !== 'string') return null;
  return new Date(value.length === 10 ? `${value}T00:00` : value);
}

/** The grid's own operators are the judges. */
const COLUMNS: Readonly<Record<Exclude<keyof Item, 'id'>, Shown>> = {
  name: { operators: getGridStringOperators(), valueOf: (value) => value },
  code: { operators: getGridSingleSelectOperators() as Operators, valueOf: (value) => value },
  amount: { operators: getGridNumericOperators() as Operators, valueOf: numberOf },
  price: { operators: getGridNumericOperators() as Operators, valueOf: (value) => value },
  active: { operators: getGridBooleanOperators() as Operators, valueOf: (value) => value },
  day: { operators: getGridDateOperators() as Operators, valueOf: moment },
  at: { operators: getGridDateOperators(true) as Operators, valueOf: moment },
};

const isColumn = (name: string): name is keyof typeof COLUMNS => Object.hasOwn(COLUMNS, name);

const item = <Value>(field: keyof typeof COLUMNS, value: fc.Arbitrary<Value>) =>
  fc.record({
    field: fc.constant(field),
    operator: fc.constantFrom(...COLUMNS[field].operators.map((operator) => operator.value)),
    value,
  });

/** One value, or several where the operator takes them. */
const values = <Value>(field: keyof typeof COLUMNS, value: fc.Arbitrary<Value>) =>
  item(field, fc.tuple(value, fc.array(value, { maxLength: 3 }))).map(
    ({ value: [one, more], ...rest }) => ({
      ...rest,
      value: rest.operator === 'isAnyOf' ? more : one,
    }),
  );

const text = fc.constantFrom(...NAMES, 'z', 'UG', '%', '_', ' zug ');
const anyItem: fc.Arbitrary<MuiFilterItem> = fc.oneof(
  { weight: 2, arbitrary: values('name', text) },
  values('code', fc.constantFrom(...CODES)),
  values('amount', fc.constantFrom(...AMOUNTS)),
  values('price', fc.constantFrom(...PRICES)),
  item('active', fc.constantFrom<unknown>('true', 'false', true, false, '')),
  // As the grid's date picker gives days, and its picker of dates and times moments.
  item(
    'day',
    fc.constantFrom(...DAYS).map((day) => new Date(day)),
  ),
  item(
    'at',
    fc.constantFrom(...TIMES).map((time) => new Date(time.replace(' ', 'T'))),
  ),
);

const anyModel: fc.Arbitrary<MuiFilterModel> = fc.record(
  {
    items: fc.array(anyItem, { maxLength: 3 }),
    logicOperator: fc.constantFrom('and', 'or'),
    quickFilterValues: fc.array(fc.constantFrom('z', '1', 'ug', '%'), { maxLength: 2 }),
    quickFilterLogicOperator: fc.constantFrom('and', 'or'),
  },
  { requiredKeys: ['items'] },
);

type IsWhole = (cell: string | null, texts: readonly string[]) => boolean;

/** The operators that compare whole texts: to the grid accents are nothing, to the service they are. */
const WHOLE_TEXTS: Readonly<Record<string, IsWhole | undefined>> = {
  equals: (cell, texts) => cell !== null && texts.includes(cell),
  doesNotEqual: (cell, texts) => cell === null || !texts.includes(cell),
  isAnyOf: (cell, texts) => cell !== null && texts.includes(cell),
};

function trimmed(value: unknown): string {
  return String(value).trim().toLowerCase();
}

/** What the grid decides of an item of its filter; `null` where it is not one yet. */
function verdict(record: Item, { field, operator, value }: MuiFilterItem): boolean | null {
  if (!isColumn(field)) return expect.fail(field);
  const shown = COLUMNS[field];
  const own = shown.operators.find((one) => one.value === operator);
  // They look at no more of the column and of the grid than is given here.
  const apply = own?.getApplyFilterFn({ field, operator, value }, {} as never);
  if (typeof apply !== 'function') return null;
  const whole = WHOLE_TEXTS[operator];
  if (whole !== undefined && (field === 'name' || field === 'code'))
    return whole(record[field]?.toLowerCase() ?? null, [value].flat().map(trimmed));
  return apply(shown.valueOf(record[field]), record, {} as never, {} as never);
}

function passes(record: Item, model: MuiFilterModel): boolean {
  const verdicts = model.items.map((one) => verdict(record, one)).filter((one) => one !== null);
  const words = model.quickFilterValues ?? [];
  // The quick filter of the adapter looks into texts.
  const found = words.map((word) =>
    [record.name, record.code].some((cell) => cell?.toLowerCase().includes(String(word)) === true),
  );
  return (
    (verdicts.length === 0 || joined(verdicts, model.logicOperator === 'or')) &&
    (words.length === 0 || joined(found, model.quickFilterLogicOperator === 'or'))
  );
}

describe.each(KINDS)('MUI X Data Grid over $name', (kind) => {
  const service = serveItems(kind);

  it('MUI X Data Grid gets the rows that its own operators let pass', async () => {
    const requests = fc.record({ model: anyModel, terms: someTerms, block: someBlock });
    await fc.assert(
      fc.asyncProperty(requests, async ({ model, terms, block: { start, end } }) => {
        const found = service().items.filter((record) => passes(record, model));
        const source = muiDataSource(service().client, { model: 'items' });
        const sortModel = terms.map(({ column, descending }) => ({
          field: column,
          sort: descending ? ('desc' as const) : ('asc' as const),
        }));
        const asked = { filterModel: model, sortModel, start, end: end - 1 };
        const { rows, rowCount, pageInfo } = await source.getRows(asked);
        expect(rows).toEqual(service().sorted(found, terms).slice(start, end));
        expect([rowCount, pageInfo.hasNextPage]).toEqual([found.length, found.length > end]);
        for (const row of rows) expect(source.getRowId(row)).toBe(row['id']);
      }),
      CASES,
    );
  });

  it.each([{ groupFields: ['active'] }, { aggregationModel: { amount: 'sum' } }])(
    'what only the licensed grids ask for is refused: %o',
    async (more) => {
      const request = { sortModel: [], filterModel: { items: [] }, start: 0, end: 9 };
      const source = muiDataSource(service().client, { model: 'items' });
      const asked = source.getRows({ ...request, ...more });
      await expect(asked).rejects.toThrow(/row grouping and aggregation: .* `client.groups`\.$/);
    },
  );
});

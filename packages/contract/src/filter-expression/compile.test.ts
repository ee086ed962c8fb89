import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import type { Filter, FilterLeaf } from '../filter.ts';
import { comparedType, type OperandKind, OPERATORS, operatorsOf } from '../operators.ts';
import type { ModelEntry } from '../replies/catalogue.ts';
import { printFilter } from '../text/print-filter.ts';
import type { WireType } from '../wire-types.ts';
import { compileFilter } from './compile.ts';

type Attribute = readonly [name: string, type: WireType];

function modelOf(attributes: readonly Attribute[]): ModelEntry {
  return {
    name: 'm',
    description: null,
    attributes: attributes.map(([name, type]) => ({
      name,
      type,
      nullable: true,
      description: null,
      operators: operatorsOf(type),
      sortable: true,
    })),
    key: [],
    default_sort: [],
    max_page_size: 100,
  };
}

function printed(filter: Filter, model: ModelEntry): string {
  return printFilter(filter, (path) =>
    comparedType(model.attributes.find(({ name }) => name === path) ?? { type: '' }),
  );
}

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom("it's", '"', '', 'and', "''", '12'),
);

/** Values of each type, as they travel. */
const VALUES = {
  text,
  int32: fc.integer(),
  int64: fc.bigInt().map(String),
  decimal: fc.stringMatching(/^(?:-?\d{1,4}(?:\.\d{1,3})?|NaN|-?Infinity)$/),
  float64: fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
    fc.constantFrom('NaN', '-Infinity'),
  ),
  boolean: fc.boolean(),
  date: text,
  any: fc.oneof(
    text,
    fc.maxSafeInteger().map((value) => value + 0),
    fc.double({ min: 1e-9, max: 1e9, noNaN: true }).filter((value) => !Number.isInteger(value)),
    fc.constantFrom({ number: '9223372036854775807' }, { number: '-Infinity' }, { bytes: '' }),
    fc.base64String().map((bytes) => ({ bytes })),
  ),
  json: fc.oneof(
    text,
    fc.boolean(),
    fc.maxSafeInteger().map((value) => value + 0),
    fc.double({ min: -1e9, max: 1e9, noNaN: true }).filter((value) => !Number.isInteger(value)),
    fc.constantFrom({ number: '9223372036854775807' }, { number: '0.1000000000000000055' }),
  ),
  array: text,
} satisfies Partial<Record<WireType, fc.Arbitrary<unknown>>>;

const attribute: fc.Arbitrary<readonly [string, keyof typeof VALUES]> = fc.tuple(
  fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('population', 'and', 'not', 'in', 'is', 'between', 'a`b', 'größe', '2026'),
  ),
  fc.constantFrom(...(Object.keys(VALUES) as (keyof typeof VALUES)[])),
);

function leafOf([name, type]: readonly [string, keyof typeof VALUES]): fc.Arbitrary<FilterLeaf> {
  const value: fc.Arbitrary<unknown> = VALUES[type];
  const operands: Record<OperandKind, fc.Arbitrary<unknown>> = {
    value,
    value_or_null: fc.option(value),
    pair: fc.tuple(value, value),
    list: fc.array(value, { minLength: 1, maxLength: 4 }),
    day: VALUES.date,
    truth: fc.boolean(),
  };
  return fc.constantFrom(...operatorsOf(type)).chain((op) =>
    fc.record(
      {
        attribute: fc.constant(name),
        op: fc.constant(op),
        value: operands[OPERATORS[op].operand],
        ...(op === 'on' && { time_zone: fc.constantFrom('Europe/Paris', "it's none") }),
      },
      { requiredKeys: ['attribute', 'op', 'value'] },
    ),
  );
}

function filterOver(attributes: readonly (readonly [string, keyof typeof VALUES])[]) {
  const { filter } = fc.letrec<{ filter: Filter }>((tie) => {
    const parts = fc.array(tie('filter'), { minLength: 2, maxLength: 3 });
    return {
      filter: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(...attributes).chain(leafOf),
        parts.map((and): Filter => ({ and })),
        parts.map((or): Filter => ({ or })),
        tie('filter').map((not): Filter => ({ not })),
      ),
    };
  });
  return filter;
}

it('reads every filter that the explorer prints as the same filter', () => {
  const cases = fc
    .uniqueArray(attribute, { minLength: 1, maxLength: 4, selector: ([name]) => name })
    .chain((attributes) => fc.tuple(fc.constant(modelOf(attributes)), filterOver(attributes)));
  fc.assert(
    fc.property(cases, ([model, filter]) => {
      expect(compileFilter(printed(filter, model), model)).toEqual(filter);
    }),
    { numRuns: 500 },
  );
});

const MODEL = modelOf([
  ['a', 'decimal'],
  ['b', 'int32'],
  ['c', 'int32'],
  ['t', 'text'],
  ['in', 'boolean'],
  ['x', 'any'],
  ['tags', 'array'],
  ['doc', 'json'],
]);

it.each([
  ['a = 1 or b = 2 and c = 3', 'a = 1 or (b = 2 and c = 3)'],
  ['not a = 1 and b = 2', 'not a = 1 and b = 2'],
  [
    "tags HAS 'any' and doc has any ('x', 1.0, true)",
    "tags has 'any' and doc has any ('x', 1, true)",
  ],
  [
    'doc has all (9007199254740993, 1e400)',
    "doc has all (number '9007199254740993', number '1e400')",
  ],
  ['NOT (a = 1 OR b = 2)', 'not (a = 1 or b = 2)'],
  ['((a = 1))', 'a = 1'],
  ['a<>1', 'a != 1'],
  ['a == 1.50', 'a = 1.50'],
  ["a in ('NaN', '-Infinity', '007', '7')", "a in ('NaN', '-Infinity', '007', 7)"],
  ['t = "it\'s"', "t = 'it''s'"],
  ['b Not In (1,2 , 3)', 'b not in (1, 2, 3)'],
  ['a between 1 and 2 and b = 3', 'a between 1 and 2 and b = 3'],
  ['a is not distinct from null', 'not a is distinct from null'],
  ['in in (true)', 'in in (true)'],
  ["x in (1, '1', 1.5)", "x in (1, '1', 1.5)"],
  [
    'x = 9007199254740993 or x > 1e300',
    `x = number '9007199254740993' or x > number '${BigInt(1e300)}'`,
  ],
  ["x = Bytes 'AP8='", "x = bytes 'AP8='"],
])('reads %s as %s', (expression, meaning) => {
  expect(printed(compileFilter(expression, MODEL), MODEL)).toBe(meaning);
});

/** Orders of customers, who have a manager. */
const CUSTOMERS: ModelEntry = {
  ...modelOf([
    ['name', 'text'],
    ['id', 'int64'],
    ['some', 'int32'],
  ]),
  name: 'customers',
  references: [
    { name: 'manager', inverse: 'reports', attributes: ['id'], model: 'customers', key: ['id'] },
  ],
};
const ORDERS: ModelEntry = {
  ...modelOf([['n', 'int64']]),
  name: 'orders',
  references: [
    { name: 'customer', inverse: 'orders', attributes: ['n'], model: 'customers', key: ['id'] },
  ],
};
const others = [CUSTOMERS, ORDERS];

it.each<[string, ModelEntry, Filter]>([
  ['customer.manager.id > 5', ORDERS, { attribute: 'customer.manager.id', op: 'gt', value: '5' }],
  ["`customer.name` = 'x'", ORDERS, { attribute: 'customer.name', op: 'eq', value: 'x' }],
  ['none orders', CUSTOMERS, { related: 'orders', none: {} }],
  [
    "SOME orders (n = 5) and not none `reports` (some orders (customer.name = 'x'))",
    CUSTOMERS,
    {
      and: [
        { related: 'orders', some: { attribute: 'n', op: 'eq', value: '5' } },
        {
          not: {
            related: 'reports',
            none: {
              related: 'orders',
              some: { attribute: 'customer.name', op: 'eq', value: 'x' },
            },
          },
        },
      ],
    },
  ],
  [
    'some in (1) or some = 2',
    CUSTOMERS,
    {
      or: [
        { attribute: 'some', op: 'in', value: [1] },
        { attribute: 'some', op: 'eq', value: 2 },
      ],
    },
  ],
])('reads %s along the relations of the catalogue', (expression, model, filter) => {
  expect(compileFilter(expression, { ...model, others })).toEqual(filter);
});

it.each([
  ['customer.nope = 1', ORDERS, 'has no attribute "customer.nope"'],
  ['customer.manager.manager.manager.id = 1', ORDERS, 'passes more than 3 relations'],
  ['customer = 1', ORDERS, 'name an attribute behind it, such as customer.id.'],
  ['orders.n = 1', CUSTOMERS, 'A record may have many. Filter by them: some orders (…).'],
  ['some lines', ORDERS, 'no records are related to orders by "lines". Names: none.'],
  ['none order (n = 1)', CUSTOMERS, 'Names: reports, orders.'],
  ['some orders (name = 1)', CUSTOMERS, 'orders has no attribute "name"'],
])('refuses %s, to which no path leads', (expression, model, message) => {
  expect(() => compileFilter(expression, { ...model, others })).toThrow(message);
});

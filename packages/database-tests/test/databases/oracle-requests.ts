import { operatorsOf, OPERATORS, type Operator } from '@proj/contract';
import * as fc from 'fast-check';

import type { ColumnKind, StoredValue } from '../fixtures/fixture.ts';
import { type Table, wireTypeOf } from './tables.ts';

/** The values of each column: few, so that there are many ties. */
const DOMAINS = {
  small: { kind: 'int32', values: [-2, -1, 0, 1, 2] },
  large: {
    kind: 'int64',
    values: [
      '-9223372036854775808',
      '9007199254740992',
      '9007199254740993',
      '9223372036854775807',
      '7',
    ],
  },
  price: { kind: 'decimal', values: ['-1.25', '0.25', '12.75', '99999999.99'] },
  ratio: { kind: 'float64', values: [-1.5, 0.1, 1e-7, 1e21, 0.30000000000000004] },
  flag: { kind: 'boolean', values: [true, false] },
  word: {
    kind: 'text',
    values: [
      '',
      'a',
      'A',
      'ab',
      'aB',
      'b ',
      '%',
      '_',
      'a_b',
      'a%b',
      "it's",
      '\\',
      'a\\b',
      '"',
      '東京',
      '[a]',
      '*',
      '?',
    ],
  },
  day: { kind: 'date', values: ['0001-01-01', '1999-12-31', '2024-02-29', '9999-12-31'] },
  moment: {
    kind: 'timestamp',
    values: ['1969-12-31T23:59:59.5', '2024-02-29T00:00:00', '2024-02-29T00:00:00.000001'],
  },
} as const satisfies Record<string, { kind: ColumnKind; values: readonly StoredValue[] }>;

export type ColumnName = keyof typeof DOMAINS;

const COLUMN_NAMES = Object.keys(DOMAINS) as ColumnName[];

/** Each column as it may be NULL, and once more as it may not. */
export const ORACLE_TABLE_COLUMNS: Table['columns'] = Object.fromEntries(
  COLUMN_NAMES.flatMap((name) => [
    [name, DOMAINS[name].kind] as const,
    [`${name}_set`, `${DOMAINS[name].kind} not null`] as const,
  ]),
);

/** A comparison, a list of filters, or a filter turned round. */
export type Filter =
  | { readonly attribute: string; readonly op: Operator; readonly value: unknown }
  | { readonly and: readonly Filter[] }
  | { readonly or: readonly Filter[] }
  | { readonly not: Filter };

export interface SortTerm {
  readonly attribute: string;
  readonly direction?: 'asc' | 'desc';
  readonly nulls?: 'first' | 'last';
}

/** A valid request. */
export interface OracleRequest {
  readonly attributes: readonly string[];
  readonly filter: Filter | undefined;
  readonly sort: readonly SortTerm[];
  readonly page: number;
  readonly size: number;
}

/** The kind of a column, by the name of its attribute. */
export function kindOf(attribute: string): ColumnKind {
  const name = attribute.replace(/_set$/, '');
  return name === 'id' ? 'int32' : DOMAINS[name as ColumnName].kind;
}

export const anyRows = fc.array(
  fc.tuple(
    ...COLUMN_NAMES.flatMap((name) => {
      const value = fc.constantFrom<StoredValue[]>(...DOMAINS[name].values);
      return [fc.option(value, { freq: 3 }), value];
    }),
  ),
  { minLength: 120, maxLength: 120 },
);

const ATTRIBUTES = ['id', ...Object.keys(ORACLE_TABLE_COLUMNS)];

const anyLeaf: fc.Arbitrary<Filter> = fc.constantFrom(...ATTRIBUTES).chain((attribute) => {
  const operators = operatorsOf(wireTypeOf(kindOf(attribute)));
  return fc
    .constantFrom(...operators)
    .chain((op) => anyOperand(attribute, op).map((value): Filter => ({ attribute, op, value })));
});

function anyOperand(attribute: string, op: Operator): fc.Arbitrary<unknown> {
  const value = anyValue(attribute);
  const operands = {
    value,
    value_or_null: fc.option(value, { freq: 4 }),
    list: fc.array(value, { minLength: 1, maxLength: 5 }),
    pair: fc.tuple(value, value),
    day: value.map((one) => String(one).slice(0, 10)),
    truth: fc.boolean(),
  };
  return operands[OPERATORS[op].operand];
}

function anyValue(attribute: string): fc.Arbitrary<unknown> {
  if (attribute === 'id') return fc.integer({ min: 0, max: 130 });
  const { values } = DOMAINS[attribute.replace(/_set$/, '') as ColumnName];
  const stored = fc.constantFrom<unknown[]>(...values);
  const others: Partial<Record<ColumnKind, fc.Arbitrary<unknown>>> = {
    int32: fc.integer({ min: -3, max: 3 }),
    int64: fc.bigInt({ min: 9007199254740990n, max: 9007199254740995n }).map(String),
    decimal: fc.constantFrom('0', '-1.2500', '0.2500001', '12345678901234567890'),
    float64: fc.constantFrom(0, 0.3, 1e300, -1e-300),
    text: fc.string({ unit: fc.constantFrom(...Array.from(`aAbB%_'\\" 京`)), maxLength: 3 }),
    date: fc.constantFrom('2024-02-28', '2000-01-01'),
    timestamp: fc.constantFrom('2024-02-29T00:00:00.000002', '0001-01-01T00:00:00'),
  };
  const other = others[kindOf(attribute)];
  return other === undefined
    ? stored
    : fc.oneof({ arbitrary: stored, weight: 3 }, { arbitrary: other, weight: 1 });
}

const { tree } = fc.letrec<{ tree: Filter; leaf: Filter }>((tie) => ({
  leaf: anyLeaf,
  tree: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    { arbitrary: tie('leaf'), weight: 3 },
    {
      arbitrary: fc
        .array(tie('tree'), { minLength: 1, maxLength: 3 })
        .map((and): Filter => ({ and })),
      weight: 2,
    },
    {
      arbitrary: fc
        .array(tie('tree'), { minLength: 1, maxLength: 3 })
        .map((or): Filter => ({ or })),
      weight: 3,
    },
    { arbitrary: tie('tree').map((not): Filter => ({ not })), weight: 1 },
  ),
}));

const anySort = fc.uniqueArray(
  fc.record(
    {
      attribute: fc.constantFrom(...ATTRIBUTES),
      direction: fc.constantFrom('asc', 'desc'),
      nulls: fc.constantFrom('first', 'last'),
    },
    { requiredKeys: ['attribute'] },
  ),
  { selector: ({ attribute }) => attribute, maxLength: 4 },
);

export const anyRequest: fc.Arbitrary<OracleRequest> = fc.record({
  attributes: fc
    .shuffledSubarray(
      ATTRIBUTES.filter((name) => name !== 'id'),
      { maxLength: 5 },
    )
    .map((names) => ['id', ...names]),
  filter: fc.option(tree, { nil: undefined, freq: 12 }),
  sort: anySort,
  page: fc.oneof(
    { arbitrary: fc.integer({ min: 1, max: 2 }), weight: 4 },
    { arbitrary: fc.integer({ min: 1, max: 50 }), weight: 1 },
  ),
  size: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 200 })),
});

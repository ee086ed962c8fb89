import type { WireType } from './wire-types.ts';

/** What an operator takes as `value`. */
export type OperandKind = 'value' | 'value_or_null' | 'list' | 'pair' | 'day' | 'truth';

/** What one filter operator does, and where. */
export interface OperatorFacts {
  readonly operand: OperandKind;
  /** The wire types of attributes that take it. */
  readonly types: readonly WireType[];
  readonly meaning: string;
}

const ORDERED = [
  'text',
  'int32',
  'int64',
  'decimal',
  'float64',
  'date',
  'time',
  'timestamp',
  'timestamp_tz',
  'interval',
  'inet',
  'uuid',
  'bytes',
  'any',
] as const satisfies readonly WireType[];
const COMPARABLE = [...ORDERED, 'enum', 'boolean'] as const satisfies readonly WireType[];
const EVERY = [
  ...COMPARABLE,
  'json',
  'array',
  'range',
  'other',
] as const satisfies readonly WireType[];
const TEXT = ['text'] as const satisfies readonly WireType[];
const HOLDING = ['array', 'json'] as const satisfies readonly WireType[];

/**
 * THE table of filter operators. By SQL's three-valued logic, comparisons with NULL are neither
 * true nor false; filters keep records for which they are true. Texts compare exactly, with case,
 * unless the operator begins with `i`. JSON that is no array holds nothing.
 */
export const OPERATORS = {
  eq: { operand: 'value', types: COMPARABLE, meaning: 'equal to the value' },
  ne: { operand: 'value', types: COMPARABLE, meaning: 'not equal to the value; leaves NULL out' },
  lt: { operand: 'value', types: ORDERED, meaning: 'less than the value' },
  lte: { operand: 'value', types: ORDERED, meaning: 'less than or equal to the value' },
  gt: { operand: 'value', types: ORDERED, meaning: 'greater than the value' },
  gte: { operand: 'value', types: ORDERED, meaning: 'greater than or equal to the value' },
  in: { operand: 'list', types: COMPARABLE, meaning: 'equal to one of the values' },
  not_in: {
    operand: 'list',
    types: COMPARABLE,
    meaning: 'equal to none of the values; leaves NULL out',
  },
  between: {
    operand: 'pair',
    types: ORDERED,
    meaning: 'from the first value to the second, both included',
  },
  is_null: {
    operand: 'truth',
    types: EVERY,
    meaning: 'NULL (`true`, the default) or not NULL (`false`)',
  },
  contains: {
    operand: 'value',
    types: ['text', 'range'],
    meaning: 'holds the text, or the value or range',
  },
  starts_with: { operand: 'value', types: TEXT, meaning: 'begins with the text' },
  ends_with: { operand: 'value', types: TEXT, meaning: 'ends with the text' },
  ieq: { operand: 'value', types: TEXT, meaning: 'equal to the text, in any letter case' },
  icontains: { operand: 'value', types: TEXT, meaning: 'holds the text, in any letter case' },
  istarts_with: {
    operand: 'value',
    types: TEXT,
    meaning: 'begins with the text, in any letter case',
  },
  iends_with: { operand: 'value', types: TEXT, meaning: 'ends with the text, in any letter case' },
  overlaps: {
    operand: 'value',
    types: ['range'],
    meaning: 'a range that has a value in common with the value or range',
  },
  has: {
    operand: 'value',
    types: HOLDING,
    meaning: 'an array, or an array in JSON, that holds the value',
  },
  has_any: { operand: 'list', types: HOLDING, meaning: 'one that holds one of the values or more' },
  has_all: { operand: 'list', types: HOLDING, meaning: 'one that holds all of the values' },
  on: {
    operand: 'day',
    types: ['date', 'timestamp', 'timestamp_tz'],
    meaning: 'within the day, for instants that of `time_zone`, or of UTC',
  },
  is_distinct: {
    operand: 'value_or_null',
    types: COMPARABLE,
    meaning: 'different from the value, where NULL is a value like others',
  },
} as const satisfies Record<string, OperatorFacts>;

/** The name of a filter operator. */
export type Operator = keyof typeof OPERATORS;

/** The operators that attributes of a wire type take. */
export type OperatorOf<Type extends WireType> = {
  [Name in Operator]: Type extends (typeof OPERATORS)[Name]['types'][number] ? Name : never;
}[Operator];

/** A wire type by which a request may sort. */
export type SortableType = (typeof COMPARABLE)[number];

/** Wire types by which a request may sort. */
export const SORTABLE_TYPES: ReadonlySet<WireType> = new Set(COMPARABLE);

/** In the order of the table. */
export function operatorsOf(type: WireType): Operator[] {
  const facts: [string, OperatorFacts][] = Object.entries(OPERATORS);
  return facts.flatMap(([name, { types }]) =>
    types.includes(type) && isOperator(name) ? [name] : [],
  );
}

/** The wire type of the values that filters compare an attribute with. */
export function comparedType<Type extends string>({ type, items }: Typed<Type>): Type | 'other' {
  return type === 'array' ? (items ?? 'other') : type;
}

interface Typed<Type extends string> {
  readonly type: Type;
  /** Of an array. */
  readonly items?: Type | undefined;
}

/** Whether a text names an operator. */
export function isOperator(name: string): name is Operator {
  return Object.hasOwn(OPERATORS, name);
}

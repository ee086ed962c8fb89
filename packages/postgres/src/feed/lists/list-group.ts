import type { FilterValue, Operator, WireType } from '@proj/engine/database';
import {
  type Attribute,
  type Comparison,
  type Condition,
  conjunctsOf,
  leavesOf,
} from '@proj/engine/following';

import type { RowFilter } from './row-filter.ts';

/** Fewer lists are counted as if they had nothing in common. */
const LEAST_LISTS = 4;

export interface SplitFilter {
  readonly filter: RowFilter;
  readonly ofColumn: readonly Condition[];
  readonly rest: readonly Condition[];
}

export interface ListGroup {
  readonly attribute: Attribute;
  /** The column's only values in the lists; undefined where filters ask for ranges. */
  readonly values: readonly FilterValue[] | undefined;
  readonly lists: readonly SplitFilter[];
}

const ORDERED: ReadonlySet<WireType> = new Set<WireType>([
  'int32',
  'int64',
  'decimal',
  'float64',
  'date',
  'timestamp',
  'timestamp_tz',
]);

/** Types that group by the equality of filters. */
const GROUPED: ReadonlySet<WireType> = new Set<WireType>([...ORDERED, 'boolean', 'uuid', 'enum']);

/** Texts that are equal only if they have the same bytes. */
const EXACT_TEXT = /^(text|character varying(\(\d+\))?)$/;

/** Those of `ORDERED` that filters compare as values of other types. */
const CAST: ReadonlySet<string> = new Set(['real', 'money']);

/** Comparisons that treat all values between two named neighbours alike. */
const WITHIN_ORDER: ReadonlySet<Operator> = new Set<Operator>([
  'eq',
  'ne',
  'in',
  'not_in',
  'lt',
  'lte',
  'gt',
  'gte',
  'between',
  'is_null',
  'is_distinct',
]);

/** The filters that share most with the first; undefined for few. */
export function groupOf(filters: readonly RowFilter[]): ListGroup | undefined {
  const [first] = filters;
  const attributes = conjunctsOf(first?.condition).flatMap((part) => attributeOf(part) ?? []);
  const groups = attributes.flatMap((attribute) => [
    valuesGroup(attribute, filters),
    rangesGroup(attribute, filters),
  ]);
  const [best] = groups
    .filter(({ lists }) => lists.some(({ filter }) => filter === first))
    .toSorted((one, other) => other.lists.length - one.lists.length);
  return best !== undefined && best.lists.length >= LEAST_LISTS ? best : undefined;
}

function valuesGroup(attribute: Attribute, filters: readonly RowFilter[]): ListGroup {
  const isGrouped = GROUPED.has(attribute.type) || EXACT_TEXT.test(attribute.databaseType);
  const all = isGrouped ? filters.map((filter) => split(filter, attribute)) : [];
  const lists = all.filter(({ ofColumn }) => ofColumn.some(namesValues));
  const named = lists.flatMap(({ ofColumn }) => ofColumn.filter(namesValues));
  const values = named.flatMap((part) => part.values.filter((value) => value !== null));
  return { attribute, values: [...new Set(values)], lists };
}

function rangesGroup(attribute: Attribute, filters: readonly RowFilter[]): ListGroup {
  const { type, databaseType } = attribute;
  const isOrdered = ORDERED.has(type) && !CAST.has(databaseType);
  const all = isOrdered ? filters.map((filter) => split(filter, attribute, WITHIN_ORDER)) : [];
  const lists = all.filter(({ ofColumn }) => ofColumn.length > 0);
  return { attribute, values: undefined, lists };
}

function split(
  filter: RowFilter,
  attribute: Attribute,
  operators?: ReadonlySet<Operator>,
): SplitFilter {
  const isAdmitted = ({ op }: Comparison): boolean => operators?.has(op) !== false;
  const { true: ofColumn = [], false: rest = [] } = Object.groupBy(
    conjunctsOf(filter.condition),
    (part) => `${isOf(attribute, part) && comparisonsOf(part).every(isAdmitted)}` as const,
  );
  return { filter, ofColumn, rest };
}

/** Undefined where a condition asks about other columns, or several. */
function attributeOf(condition: Condition): Attribute | undefined {
  const [first] = comparisonsOf(condition);
  return first && isOf(first.attribute, condition) ? first.attribute : undefined;
}

function isOf({ column, type, databaseType }: Attribute, condition: Condition): boolean {
  const leaves = leavesOf(condition);
  return (
    leaves.length > 0 &&
    leaves.every(
      (leaf) =>
        'attribute' in leaf &&
        leaf.attribute.join === undefined &&
        leaf.attribute.column === column &&
        leaf.attribute.type === type &&
        leaf.attribute.databaseType === databaseType,
    )
  );
}

export function comparisonsOf(condition: Condition): Comparison[] {
  return leavesOf(condition).flatMap((leaf) => ('attribute' in leaf ? leaf : []));
}

function namesValues(condition: Condition): condition is Comparison {
  return 'op' in condition && (condition.op === 'eq' || condition.op === 'in');
}

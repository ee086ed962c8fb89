import { SORTABLE_TYPES } from '@proj/contract';
import { sql } from 'kysely';

import { type Attribute, attributeTerm } from '../../catalogue/model.ts';
import { asComputed, COUNT, groupColumn } from '../../planning/group-names.ts';
import type { FacetPlan } from '../../planning/plan-facets.ts';
import { columnOf, listedAs } from './relation-rows.ts';
import { divisorOf, groupedRows, rowsToGroup, whereAll } from './from-rows.ts';
import { isNull } from './condition.ts';
import { orderOf } from './page-clauses.ts';
import type { Dialect, EvaluatedList, SelectedRecords } from '../dialect.ts';
import type { Expression } from '../statement.ts';

export interface FacetParts {
  readonly dialect: Dialect;
  readonly name: Expression;
  readonly base: Expression | undefined;
}

export interface FacetLists {
  readonly lists: readonly SelectedRecords[];
  readonly groups?: EvaluatedList;
}

export function valuesLists(
  { attribute, rows, limit, sort }: FacetPlan,
  { dialect, name, base }: FacetParts,
): FacetLists {
  const grouping = dialect.groups.grouping(columnOf(attribute), attribute);
  const column = grouping.value === undefined ? 'g0' : 'v0';
  const value = { ...groupColumn(asComputed(attribute), 'value', column), nullable: false };
  const [of, size] = [columnOf(value), columnOf(SIZE)];
  const isNothing = isNull(of, dialect, value);
  const inOrder = [
    ...(sort === 'count' ? [SIZE_DESCENDING] : []),
    attributeTerm(value, 'asc'),
    ...(column === 'g0' ? [] : [GROUP_ASCENDING]),
  ];
  const found = listedAs(name);
  const nulls = sql`case when ${isNothing} then ${size} end`;
  const sums = [nulls, size].map((sizes) => sql`coalesce(sum(${sizes}), 0)`);
  const ends = SORTABLE_TYPES.has(attribute.type) ? endsOf(value, dialect) : NO_ENDS;
  return {
    groups: { name, rows: groupedRows(rows, { named: [value, SIZE], base }, dialect) },
    lists: [
      {
        fields: [value, SIZE],
        columns: [of, size],
        rest: sql`
          from ${found} where not (${isNothing})
          order by ${orderOf(inOrder, dialect)} limit ${sql.lit(limit)}`,
      },
      {
        fields: [...ends.fields, ...['distinct', 'nulls', 'total'].map(countNamed)],
        columns: [...ends.columns, sql`count(${of})`, ...sums],
        rest: sql`from ${found}`,
      },
    ],
  };
}

/** Also reads what all values have in common, where some may be in no bin. */
export function binsLists(facet: FacetPlan, parts: FacetParts): FacetLists {
  const { dialect, name, base } = parts;
  const isAdded = hasSum(facet);
  const fields = [BIN, SIZE, ...(isAdded ? [SUM] : [])];
  const rows = groupedRows(facet.rows, { named: fields, base }, dialect);
  const bins = { fields, columns: fields.map((field) => columnOf(field)) };
  if (!mayBeInNone(facet, dialect))
    return { lists: [{ ...bins, rest: sql`from ${listedAs(sql`(${rows})`)}` }] };
  const [bin, sum] = [columnOf(BIN), columnOf(SUM)];
  const others = isAdded ? sql`${bin} = 0 or ${bin} > 0 and ${sum} is null` : sql`${bin} = 0`;
  return {
    groups: { name, rows },
    lists: [
      { ...bins, rest: sql`from ${listedAs(name)}` },
      {
        ...allValues(facet, parts),
        when: sql`exists (select 1 from ${listedAs(name)} where ${others})`,
      },
    ],
  };
}

export function hasSum({ rows }: FacetPlan): boolean {
  return rows.aggregates.some(({ op }) => op === 'added');
}

export function mayBeInNone({ attribute }: FacetPlan, { groups }: Dialect): boolean {
  return groups.isFinite?.(columnOf(attribute), attribute) !== undefined;
}

function allValues(facet: FacetPlan, { dialect, base }: FacetParts): SelectedRecords {
  const { attribute, by } = facet;
  const { value, from, where } = valuesOf(facet, { dialect, base });
  const { fields, columns } = endsOf(value, dialect);
  const rest = sql`from ${from}${whereAll([where])}`;
  if (!hasSum(facet)) return { fields, columns, rest };
  const column = columnOf(attribute);
  const isFloat = attribute.type === 'float64';
  const { groups } = dialect;
  const total = isFloat
    ? groups.added(column, attribute, divisorOf(by))
    : groups.sum(column, attribute);
  const numbers = groups.numbers?.(column) ?? sql`count(${column})`;
  return {
    fields: [...fields, SUM, countNamed('numbers')],
    columns: [...columns, total, numbers],
    rest,
  };
}

export function finiteEnds(
  facet: FacetPlan,
  { dialect, base }: Omit<FacetParts, 'name'>,
): SelectedRecords {
  const { value, from, where } = valuesOf(facet, { dialect, base });
  const isFinite = dialect.groups.isFinite?.(columnOf(value), value);
  return { ...endsOf(value, dialect), rest: sql`from ${from}${whereAll([where, isFinite])}` };
}

function valuesOf({ rows, attribute }: FacetPlan, { dialect, base }: Omit<FacetParts, 'name'>) {
  const { groups, from, where } = rowsToGroup(rows, dialect, base);
  const [value = attribute] = groups.map((group) => group.attribute);
  return { value, from, where };
}

function endsOf(value: Attribute, { groups }: Dialect) {
  const ends = ['min', 'max'] as const;
  return {
    fields: ends.map((name) => ({ ...asComputed(value), name })),
    columns: ends.map((which) => groups.extreme(which, columnOf(value), value)),
  };
}

const NO_ENDS = { fields: [], columns: [] };

function countNamed(name: string): Attribute {
  return { ...COUNT, name };
}

export const SIZE: Attribute = { ...COUNT, name: 'count', column: 'a0' };
const BIN: Attribute = { ...COUNT, name: 'bin', column: 'g0', type: 'int32', nullable: true };
const SUM: Attribute = { ...COUNT, name: 'sum', column: 'a1', type: 'text', databaseType: 'text' };

const SIZE_DESCENDING = attributeTerm(SIZE, 'desc');
const GROUP_ASCENDING = attributeTerm({ ...COUNT, column: 'g0' }, 'asc');

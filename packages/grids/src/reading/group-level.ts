import type { Sort } from '@proj/client';

import type { Columns } from '../mapping/columns.ts';
import { type SortedColumn, sortOf } from '../mapping/sort.ts';
import type { Row } from '../model/client.ts';
import type { BlockRows } from './read-rows.ts';
import type { GridSource, Wanted } from './source.ts';

/** What the groups of a grid can show of a column, as the service calls it. */
export type Aggregation = 'sum' | 'average' | 'min' | 'max' | 'count';

/** Groups of one level, as a grid wants them. */
export interface GroupLevel extends Omit<Wanted, 'sort'> {
  /** The column whose values are the groups. */
  readonly by: string;
  /** What other columns show of a group. */
  readonly aggregations: ReadonlyMap<string, Aggregation>;
  /** Terms of columns that groups do not show put none before another, and are left out. */
  readonly terms: readonly SortedColumn[];
}

/**
 * Reads groups as rows: under the names of the columns, the value of each group and what is
 * computed of its records. Counts are numbers.
 */
export async function readLevel(
  source: GridSource,
  columns: Columns,
  { aggregations, terms, ...level }: GroupLevel,
): Promise<BlockRows> {
  columns.entry(level.by, 'group');
  const members = membersOf(level.by, aggregations);
  const aggregates = Object.fromEntries(
    members.map(({ name, op, column }) => [
      name,
      op === 'count' ? { op } : { op, attribute: column },
    ]),
  );
  const sort = firstTerms(terms).flatMap((term): readonly Sort[] => {
    if (term.column === level.by) return sortOf(columns, [term]);
    const member = members.find(({ column }) => column === term.column);
    return member ? [sortByMember(member, term)] : [];
  });
  const block = await source.readGroups({ ...level, aggregates, sort });
  const named = (group: Row): Row => ({
    [level.by]: group[level.by],
    ...Object.fromEntries(
      members.map(({ name, op, column }) => {
        const value = group[name];
        return [column, op === 'count' ? Number(value) : value];
      }),
    ),
  });
  return { ...block, rows: block.rows.map(named) };
}

/** A grid may name a column twice, once by its own column of groups: the first term decides. */
function firstTerms(terms: readonly SortedColumn[]): readonly SortedColumn[] {
  return terms.filter(
    (term, place) => terms.findIndex(({ column }) => column === term.column) === place,
  );
}

/** An aggregate of a request, which cannot have the name of a path. */
interface Member {
  readonly name: string;
  readonly column: string;
  readonly op: Aggregation;
}

function membersOf(by: string, aggregations: ReadonlyMap<string, Aggregation>): readonly Member[] {
  const prefix = by.startsWith('value_') ? 'aggregate_' : 'value_';
  return [...aggregations].map(([column, op], index) => ({
    name: `${prefix}${index}`,
    column,
    op,
  }));
}

/** NULL is the smallest value, as in {@link sortOf}. */
function sortByMember({ name, op }: Member, { descending }: SortedColumn): Sort {
  return {
    attribute: name,
    direction: descending ? 'desc' : 'asc',
    ...(op !== 'count' && { nulls: descending ? 'last' : 'first' }),
  };
}

import type { Aggregation } from '../reading/group-level.ts';
import type { TableState } from './state.ts';

/** For each aggregation of TanStack Table that can be had, what the service calls it. */
export const AGGREGATION_FNS = {
  sum: 'sum',
  mean: 'average',
  min: 'min',
  max: 'max',
  count: 'count',
} as const satisfies Readonly<Record<string, Aggregation>>;

/** An aggregation of TanStack Table that can be had, by the name in `aggregationFn`. */
export type AggregationFnName = keyof typeof AGGREGATION_FNS;

/** The state of a table whose rows are grouped. */
export interface GroupedState extends TableState {
  /** The columns by which rows are grouped, the outermost first. */
  readonly grouping: readonly string[];
  /** The ids of the groups that are expanded. `true` is refused: each is read by itself. */
  readonly expanded?: true | Readonly<Record<string, boolean>>;
  /**
   * The page that is shown of what a group holds, by its id.
   *
   * @default the first, of the size of the table's pages
   */
  readonly groupPagination?: Readonly<Record<string, TableState['pagination']>>;
}

/** What a row is that is a group. */
export interface TableGroup<Child> {
  readonly id: string;
  /** The column whose values are the groups. */
  readonly column: string;
  /** `null` is the group of NULL. */
  readonly value: unknown;
  /** Of an expanded group: how many rows it holds, on all its pages. */
  readonly rowCount: number | null;
  /** Of an expanded group: a page of what it holds, for the table's `getSubRows`. */
  readonly rows: Child[];
}

/** A group, with values of the columns by which it is grouped and of aggregates; or a record. */
export type GroupedRow<Item> = {
  readonly [Name in keyof Item]?: Item[Name] | string | number | null;
} & { readonly $group?: TableGroup<GroupedRow<Item>> };

/** What a row is as a group; undefined where it is a record. */
export function groupOf(row: object): TableGroup<unknown> | undefined {
  return '$group' in row ? (row.$group as TableGroup<unknown> | undefined) : undefined;
}

/** As much of a row of a table as is used. */
interface TableRow {
  readonly original: object;
  groupingColumnId?: string | undefined;
  groupingValue?: unknown;
}

/** As much of a row model as is used. */
interface RowModel {
  readonly flatRows: readonly TableRow[];
}

/**
 * A grouped row model of rows that the service has grouped, in place of the table's own
 * (`createGroupedRowModel()`, `getGroupedRowModel()` before version 9): `getIsGrouped` and the like
 * then know the groups. The table needs `getSubRows: (row) => row.$group?.rows`, and no
 * `manualGrouping`, which would leave the model out.
 */
export function groupedRowModel(): <Model extends RowModel>(table: {
  getPreGroupedRowModel(): Model;
}) => () => Model {
  return (table) => () => {
    const model = table.getPreGroupedRowModel();
    for (const row of model.flatRows) {
      const group = groupOf(row.original);
      row.groupingColumnId = group?.column;
      row.groupingValue = group?.value;
    }
    return model;
  };
}

import { type Columns, groupFilter, type GroupKey } from '../mapping/columns.ts';
import { allOf, type Part } from '../mapping/filter-parts.ts';
import { jsonText } from '../mapping/json-text.ts';
import { type SortedColumn, sortOf } from '../mapping/sort.ts';
import type { Row } from '../model/client.ts';
import { type Aggregation, readLevel } from '../reading/group-level.ts';
import type { BlockRows } from '../reading/read-rows.ts';
import type { GridSource } from '../reading/source.ts';
import {
  AGGREGATION_FNS,
  type AggregationFnName,
  type GroupedRow,
  type GroupedState,
} from './group-row.ts';
import { type FilterFns, pageOf, tableFilter, type TablePage, type TableState } from './state.ts';

interface GroupedRequest {
  readonly state: GroupedState;
  readonly filterFns: FilterFns;
  readonly aggregationFns: Readonly<Record<string, AggregationFnName | undefined>>;
  readonly signal?: AbortSignal | undefined;
}

/** Reads a page of the outermost groups, and a page of what each expanded one holds. */
export async function readGroupedTable<Item>(
  source: GridSource,
  { state, filterFns, aggregationFns, signal }: GroupedRequest,
): Promise<TablePage<GroupedRow<Item>>> {
  const { grouping, pagination, sorting = [], columnFilters = [], expanded = {} } = state;
  const named = [...grouping, ...Object.keys(aggregationFns)];
  const ids = [...sorting, ...columnFilters].map(({ id }) => id);
  const columns: Columns = await source.columns([...named, ...ids], signal);
  if (expanded === true)
    columns.refuse('expanded', 'each group is read by itself', 'the ids of single groups');
  const reader = new GroupReader(source, columns, {
    grouping,
    expanded,
    sizes: (id) => state.groupPagination?.[id] ?? { pageIndex: 0, pageSize: pagination.pageSize },
    filter: tableFilter(columns, state, filterFns),
    terms: sorting.map(({ id, desc }) => ({ column: id, descending: desc })),
    aggregations: aggregationsOf(columns, aggregationFns),
    signal,
  });
  return pageOf(await reader.read([], pagination), pagination.pageSize);
}

/** What groups are read with. */
interface GroupList {
  readonly grouping: readonly string[];
  readonly expanded: Readonly<Record<string, boolean>>;
  /** The page of what the group of an id holds. */
  readonly sizes: (id: string) => TableState['pagination'];
  readonly filter: Part;
  readonly terms: readonly SortedColumn[];
  readonly aggregations: ReadonlyMap<string, Aggregation>;
  readonly signal: AbortSignal | undefined;
}

class GroupReader {
  readonly #source: GridSource;
  readonly #columns: Columns;
  readonly #list: GroupList;

  constructor(source: GridSource, columns: Columns, list: GroupList) {
    this.#source = source;
    this.#columns = columns;
    this.#list = list;
  }

  /** A page of what the groups of some keys hold: groups of the next column, or records. */
  async read(
    keys: readonly GroupKey[],
    { pageIndex, pageSize }: TableState['pagination'],
  ): Promise<BlockRows> {
    const { grouping, terms, signal } = this.#list;
    const filter = allOf([groupFilter(this.#columns, keys), this.#list.filter]);
    const start = pageIndex * pageSize;
    const wanted = { filter, start, end: start + pageSize, signal };
    const by = grouping[keys.length];
    if (by === undefined) {
      const open = terms.filter(({ column }) => !grouping.includes(column));
      return this.#source.read({ ...wanted, sort: sortOf(this.#columns, open) });
    }
    const aggregations = new Map([...this.#list.aggregations].filter(([name]) => name !== by));
    const level = { ...wanted, by, aggregations, terms };
    const block = await readLevel(this.#source, this.#columns, level);
    const rows = block.rows.map(async (row) =>
      this.#group(row, [...keys, { column: by, value: row[by] }]),
    );
    return { ...block, rows: await Promise.all(rows) };
  }

  /** A group, with what it holds where it is expanded. */
  async #group(row: Row, keys: readonly GroupKey[]): Promise<Row> {
    const { expanded, sizes } = this.#list;
    const id = idOf(keys);
    const own = keys.at(-1);
    const isExpanded = Object.hasOwn(expanded, id) && expanded[id] === true;
    const inside = isExpanded ? await this.read(keys, sizes(id)) : null;
    const { rows = [], totalNumber: rowCount = null } = inside ?? {};
    const shared = Object.fromEntries(keys.map(({ column, value }) => [column, value]));
    return { ...row, ...shared, $group: { id, ...own, rowCount, rows } };
  }
}

/** As the table names its groups, but that texts differ from NULL and from what they hold. */
function idOf(keys: readonly GroupKey[]): string {
  return keys.map(({ column, value }) => `${column}:${jsonText(value)}`).join('>');
}

function aggregationsOf(
  columns: Columns,
  names: GroupedRequest['aggregationFns'],
): ReadonlyMap<string, Aggregation> {
  return new Map(
    Object.entries(names).flatMap(([column, name]): readonly [string, Aggregation][] => {
      if (name === undefined) return [];
      const condition = columns.condition(column, `the aggregationFn ${JSON.stringify(name)}`);
      if (Object.hasOwn(AGGREGATION_FNS, name)) return [[column, AGGREGATION_FNS[name]]];
      return condition.refuse(
        'the service does not compute it',
        Object.keys(AGGREGATION_FNS).join(', '),
      );
    }),
  );
}

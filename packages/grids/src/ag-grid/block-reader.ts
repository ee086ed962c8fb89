import { type Columns, groupFilter, quickFilter } from '../mapping/columns.ts';
import { allOf } from '../mapping/filter-parts.ts';
import { sortOf } from '../mapping/sort.ts';
import type { GridClient, Row } from '../model/client.ts';
import { readLevel } from '../reading/group-level.ts';
import type { BlockRows } from '../reading/read-rows.ts';
import type { ChangeListener, GridWatchOptions } from '../reading/shown-list.ts';
import { GridSource } from '../reading/source.ts';
import { type AgColumn, type AgGridApi, columnOf, type ServerSideOptions } from './column.ts';
import { agFilter } from './filter.ts';
import {
  aggregations,
  type AgGrouping,
  attributeOf,
  checkNoPivots,
  parentGroups,
  isAutoColumn,
  nextGroup,
  sortedId,
  UNGROUPED,
  withKeys,
} from './grouping.ts';

export interface SortItem {
  readonly colId: string;
  readonly sort: 'asc' | 'desc';
}

/** What a block is asked for with. */
export interface BlockRequest {
  readonly start: number;
  readonly end: number | undefined;
  readonly api?: AgGridApi | undefined;
  readonly sortModel: readonly SortItem[];
  readonly filterModel: unknown;
  /** @default none, as in the infinite row model */
  readonly grouping?: AgGrouping;
}

/** What is done with a block, or where it cannot be had. */
export interface BlockCallbacks {
  readonly success: (block: BlockRows) => void;
  readonly fail: () => void;
}

/** As the grid calls NULL elsewhere. */
const NULL_KEY = '(Blanks)';

/** Reads the blocks of one grid. */
export class BlockReader {
  readonly #source: GridSource;
  readonly #options: ServerSideOptions;
  readonly #ended = new AbortController();

  constructor(client: GridClient, options: ServerSideOptions) {
    this.#source = new GridSource('AG Grid', client, options);
    this.#options = options;
  }

  destroy(): void {
    this.#ended.abort();
  }

  watch(listener: ChangeListener, options?: GridWatchOptions): () => void {
    const end = this.#source.watch(listener, options);
    this.#ended.signal.addEventListener('abort', end, { once: true });
    return end;
  }

  rowId(row: Row): string {
    return this.#source.rowId(row);
  }

  async answer(request: BlockRequest, { success, fail }: BlockCallbacks): Promise<void> {
    const { onError = console.error } = this.#options;
    const { signal } = this.#ended;
    const block = await this.#read(request, signal).catch((error: unknown) => {
      if (!signal.aborted) onError(error);
      return null;
    });
    if (block === null) fail();
    else success(block);
  }

  async #read(request: BlockRequest, signal: AbortSignal): Promise<BlockRows> {
    const { filterParams = {}, nullKey = NULL_KEY, quickFilter: text = () => '' } = this.#options;
    const { filterModel, grouping = UNGROUPED, start, end } = request;
    const column = (id: string): AgColumn => columnOf(request.api, id, filterParams);
    const terms = request.sortModel.map(({ colId, sort }) => ({
      column: column(sortedId(colId, grouping)).attribute,
      descending: sort === 'desc',
    }));
    const columns: Columns = await this.#source.columns(
      [
        ...Object.keys(filterModel ?? {}).map((id) => column(id).attribute),
        ...terms.map((term) => term.column),
        ...[...grouping.rowGroupCols, ...grouping.valueCols].map(attributeOf),
      ],
      signal,
    );
    checkNoPivots(columns, grouping);
    if (end === undefined)
      columns.refuse('all rows', 'a list is read in blocks', 'the grid option `cacheBlockSize`');
    const keys = parentGroups(columns, grouping, nullKey);
    const words = text().split(/\s+/);
    const wanted = {
      filter: allOf([
        groupFilter(columns, keys),
        agFilter(columns, filterModel, column),
        quickFilter(columns, words),
      ]),
      start,
      end,
      signal,
    };
    const by = nextGroup(grouping);
    if (by === undefined) {
      const shared = keys.map((key) => key.column);
      const open = terms.filter(
        (term) => !isAutoColumn(term.column) && !shared.includes(term.column),
      );
      // Of groups, what was read last is one of many lists.
      const isWhole = keys.length === 0;
      const rows = { ...wanted, sort: sortOf(columns, open) };
      return isWhole ? this.#source.show({ ...rows, isBlock: true }) : this.#source.read(rows);
    }
    const level = { by: attributeOf(by), terms };
    const shown = aggregations(columns, grouping, level.by);
    const block = await readLevel(this.#source, columns, {
      ...wanted,
      ...level,
      aggregations: shown,
    });
    return { ...block, rows: withKeys(columns, { ...level, rows: block.rows }, nullKey) };
  }
}

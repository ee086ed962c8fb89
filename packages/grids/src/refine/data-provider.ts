/* oxlint-disable typescript/no-unnecessary-type-parameters -- The signatures are Refine's. */
import { readOnlyMethods, type ReadOnlyMethods } from '../errors.ts';
import type { Columns } from '../mapping/columns.ts';
import { sortOf } from '../mapping/sort.ts';
import type { GridClient } from '../model/client.ts';
import { recordWithId } from '../model/row-id.ts';
import { readRecord, readRecords, sortedColumns } from '../reading/keyed-records.ts';
import type { BlockRows } from '../reading/read-rows.ts';
import {
  type GridSource,
  type ResourceOptions,
  Sources,
  type WatchResource,
} from '../reading/source.ts';
import { fieldsOf, refineFilter, type RefineFilter } from './filter.ts';

interface Meta {
  readonly queryContext?: { readonly signal?: AbortSignal };
}

/** As much of Refine's parameters of lists as is used. */
export interface RefineListParams {
  readonly resource: string;
  readonly pagination?: {
    readonly currentPage?: number;
    readonly pageSize?: number;
    readonly mode?: 'client' | 'server' | 'off';
  };
  readonly sorters?: readonly { readonly field: string; readonly order: 'asc' | 'desc' }[];
  readonly filters?: readonly RefineFilter[];
  readonly meta?: Meta;
}

type Id = string | number;

interface OneParams {
  readonly resource: string;
  readonly id: Id;
  readonly meta?: Meta;
}

interface ManyParams {
  readonly resource: string;
  readonly ids: readonly Id[];
  readonly meta?: Meta;
}

/** A data provider of Refine that only reads. */
export interface RefineDataProvider extends ReadOnlyMethods<(typeof WRITES)[number]> {
  getList<Item>(params: RefineListParams): Promise<{ data: Item[]; total: number }>;
  getOne<Item>(params: OneParams): Promise<{ data: Item }>;
  getMany<Item>(params: ManyParams): Promise<{ data: Item[] }>;
  getApiUrl(): string;
  /**
   * Calls back when the list of a resource that was read last is another one by now: read it again,
   * or offer to. It returns what ends it.
   */
  readonly watch: WatchResource;
}

/** What the data provider of Refine takes. */
export interface RefineOptions extends ResourceOptions {
  /**
   * What `getApiUrl` says.
   *
   * @default ''
   */
  readonly apiUrl?: string;
}

const GRID = 'Refine';

const WRITES = ['create', 'createMany', 'update', 'updateMany', 'deleteOne', 'deleteMany'] as const;

/**
 * A data provider for Refine.
 *
 * @throws {MappingError | RowError | DynamicQueryError} from its methods.
 */
export function refineProvider(
  client: GridClient,
  options: RefineOptions = {},
): RefineDataProvider {
  const { apiUrl = '', ...resources } = options;
  const sources = new Sources(GRID, client, resources);
  return {
    getList: async (params) => readList(sources.of(params.resource), params),
    getOne: async <Item>({ resource, id, meta }: OneParams) => {
      return { data: (await readRecord(sources.of(resource), id, signalOf(meta))) as Item };
    },
    getMany: async <Item>({ resource, ids, meta }: ManyParams) => {
      return { data: (await readRecords(sources.of(resource), ids, signalOf(meta))) as Item[] };
    },
    getApiUrl: () => apiUrl,
    watch: (resource, listener, watching) => sources.of(resource).watch(listener, watching),
    ...readOnlyMethods(GRID, WRITES),
  };
}

function signalOf(meta: Meta | undefined): { readonly signal: AbortSignal | undefined } {
  return { signal: meta?.queryContext?.signal };
}

async function readList<Item>(
  source: GridSource,
  { pagination = {}, sorters = [], filters = [], meta }: RefineListParams,
): Promise<{ data: Item[]; total: number }> {
  const { signal } = signalOf(meta);
  const named = [...fieldsOf(filters), ...sorters.map(({ field }) => field)];
  const columns: Columns = await source.columns(named, signal);
  const { currentPage = 1, pageSize = 10, mode = 'server' } = pagination;
  const size = mode === 'server' ? pageSize : source.known.max_page_size;
  const start = mode === 'server' ? (currentPage - 1) * size : 0;
  const terms = sorters.map(({ field, order }) => ({
    column: field,
    descending: order === 'desc',
  }));
  const block = await source.show({
    filter: refineFilter(columns, filters),
    sort: sortOf(columns, sortedColumns(source, columns, terms)),
    start,
    end: start + size,
    signal,
  });
  if (mode !== 'server' && block.hasNext)
    columns.refuse(
      `pagination mode ${mode}`,
      `the list has more records than one page, ${size}`,
      'the mode "server"',
    );
  return {
    data: block.rows.map((row) => recordWithId(source.known, row)) as Item[],
    total: block.totalNumber ?? knownRows(block, start),
  };
}

/** Refine wants a number: where none is exact, one more than the rows so far if more follow. */
function knownRows({ rows, hasNext }: BlockRows, start: number): number {
  return start + rows.length + (hasNext ? 1 : 0);
}

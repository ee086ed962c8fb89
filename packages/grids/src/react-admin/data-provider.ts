/* oxlint-disable typescript/no-unnecessary-type-parameters -- The signatures are react-admin's. */
import { readOnlyMethods, type ReadOnlyMethods } from '../errors.ts';
import { allOf, type Part } from '../mapping/filter-parts.ts';
import { sortOf } from '../mapping/sort.ts';
import type { GridClient } from '../model/client.ts';
import { recordWithId } from '../model/row-id.ts';
import { readRecord, readRecords, sortedColumns } from '../reading/keyed-records.ts';
import {
  type GridSource,
  type ResourceOptions,
  Sources,
  type WatchResource,
} from '../reading/source.ts';
import { adminFilter, membersOf } from './filter.ts';

/** As much of react-admin's parameters of lists as is used. */
export interface AdminListParams {
  readonly pagination?: { readonly page: number; readonly perPage: number };
  readonly sort?: { readonly field: string; readonly order: 'ASC' | 'DESC' };
  /** By names of attributes, as react-admin gives it. */
  readonly filter?: unknown;
  readonly signal?: AbortSignal;
}

/** A page of records; `total` is absent where no number is exact. */
export interface AdminList<Item> {
  data: Item[];
  total?: number;
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean };
}

type Id = string | number;

interface OneParams {
  readonly id: Id;
  readonly signal?: AbortSignal;
}

interface ManyParams {
  readonly ids: readonly Id[];
  readonly signal?: AbortSignal;
}

interface ReferenceParams extends AdminListParams {
  readonly target: string;
  readonly id: Id;
}

/** A data provider of react-admin that only reads. */
export interface AdminDataProvider extends ReadOnlyMethods<(typeof WRITES)[number]> {
  readonly supportAbortSignal: true;
  getList<Item>(resource: string, params: AdminListParams): Promise<AdminList<Item>>;
  getOne<Item>(resource: string, params: OneParams): Promise<{ data: Item }>;
  getMany<Item>(resource: string, params: ManyParams): Promise<{ data: Item[] }>;
  getManyReference<Item>(resource: string, params: ReferenceParams): Promise<AdminList<Item>>;
  /**
   * Calls back when the list of a resource that was read last is another one by now: read it again,
   * or offer to. It returns what ends it.
   */
  readonly watch: WatchResource;
}

const GRID = 'react-admin';

const WRITES = ['create', 'update', 'updateMany', 'delete', 'deleteMany'] as const;

/**
 * A data provider for react-admin.
 *
 * @throws {MappingError | RowError | DynamicQueryError} from its methods.
 */
export function reactAdminProvider(
  client: GridClient,
  options: ResourceOptions = {},
): AdminDataProvider {
  const sources = new Sources(GRID, client, options);
  return {
    supportAbortSignal: true,
    getList: async (resource, params) => readList(sources.of(resource), params, null),
    getOne: async <Item>(resource: string, { id, signal }: OneParams) => {
      return { data: (await readRecord(sources.of(resource), id, { signal })) as Item };
    },
    getMany: async <Item>(resource: string, { ids, signal }: ManyParams) => {
      return { data: (await readRecords(sources.of(resource), ids, { signal })) as Item[] };
    },
    getManyReference: async (resource, { target, id, ...params }) => {
      const source = sources.of(resource);
      const columns = await source.columns([target], params.signal);
      const reference = columns.condition(target, 'reference').compare('eq', id);
      return readList(source, params, reference);
    },
    watch: (resource, listener, watching) => sources.of(resource).watch(listener, watching),
    ...readOnlyMethods(GRID, WRITES),
  };
}

async function readList<Item>(
  source: GridSource,
  { pagination = { page: 1, perPage: 25 }, sort, filter = {}, signal }: AdminListParams,
  reference: Part,
): Promise<AdminList<Item>> {
  const members = membersOf(filter as object);
  const terms = sort ? [{ column: sort.field, descending: sort.order === 'DESC' }] : [];
  const named = [...members.map(([name]) => name), ...terms.map(({ column }) => column)];
  const columns = await source.columns(named, signal);
  const { page, perPage } = pagination;
  const start = (page - 1) * perPage;
  const block = await source.show({
    filter: allOf([reference, adminFilter(columns, members)]),
    sort: sortOf(columns, sortedColumns(source, columns, terms)),
    start,
    end: start + perPage,
    signal,
  });
  return {
    data: block.rows.map((row) => recordWithId(source.known, row)) as Item[],
    ...(block.totalNumber !== null && { total: block.totalNumber }),
    pageInfo: { hasNextPage: block.hasNext, hasPreviousPage: page > 1 },
  };
}

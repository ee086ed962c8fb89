import type {
  AggregateTerm,
  DynamicQueryClient,
  Filter,
  ModelEntry,
  RequestedTotal,
  Sort,
} from '@proj/client';
import { type RequestedRelated, withRelated } from '@proj/contract';

import { RowError } from '../errors.ts';
import { Columns, withinLimits } from '../mapping/columns.ts';
import type { Part } from '../mapping/filter-parts.ts';
import type { GridClient, GridList, Row } from '../model/client.ts';
import { keyOf, rowIdOf } from '../model/row-id.ts';
import { type Block, type BlockRows, type PagedList, readRows } from './read-rows.ts';
import {
  type ChangeListener,
  type GridWatchOptions,
  ShownList,
  type WatchShown,
} from './shown-list.ts';

/** What every adapter takes. */
export interface SourceOptions {
  /** Name of the data model. */
  readonly model: string;
  /**
   * The attributes to read, by their names or by paths along relations, such as `country.name`;
   * those of the key are added.
   *
   * @default all of the model's own that the token sees
   */
  readonly attributes?: readonly string[];
  /**
   * Counts and sums of what refers to each record, by the names of their columns. Counts are
   * bigints.
   *
   * @default none
   */
  readonly related?: RequestedRelated;
  /**
   * How much of the total the service counts: for lists that are too long to count.
   *
   * @default 'exact'
   */
  readonly total?: RequestedTotal;
  /** Gives up whatever is being read, when the grid goes away. */
  readonly signal?: AbortSignal | undefined;
}

/** What adapters take whose grid by itself disregards letter case. */
export interface TextOptions {
  /**
   * Whether conditions distinguish letter cases in texts. By itself the grid disregards them, and
   * so does the service.
   *
   * @default false
   */
  readonly caseSensitive?: boolean;
}

/** What of a list a grid wants. */
export interface Wanted extends Block {
  readonly filter: Part;
  readonly sort: readonly Sort[];
  readonly signal?: AbortSignal | undefined;
}

/** What a grid wants to show. */
interface WantedRows extends Wanted {
  /**
   * Whether the grid shows these rows beside the blocks that it has read before.
   *
   * @default false
   */
  readonly isBlock?: boolean;
}

/** Groups of the records that a grid wants. */
export interface WantedGroups extends Wanted {
  /** The attribute or path whose values are the groups. */
  readonly by: string;
  /** What each group has beside its value, by their names. */
  readonly aggregates: Readonly<Record<string, AggregateTerm>>;
}

/** A list, whether of records or of groups. */
interface List {
  readonly model: string;
  readonly filter?: Filter;
  readonly sort?: readonly Sort[];
  readonly related?: RequestedRelated;
}

/** A model of a service, as one grid reads it. */
export class GridSource {
  readonly #client: DynamicQueryClient;
  readonly #options: SourceOptions & TextOptions;
  readonly #grid: string;
  #model: ModelEntry | undefined;
  readonly #shown = new ShownList();
  #others: readonly ModelEntry[] | undefined;

  /** @param grid as its makers write it */
  constructor(grid: string, client: GridClient, options: SourceOptions & TextOptions) {
    this.#grid = grid;
    this.#client = client as DynamicQueryClient;
    this.#options = options;
  }

  /** The model's entry in the catalogue, once something was read. */
  get known(): ModelEntry {
    if (this.#model) return this.#model;
    throw new RowError(400, `${this.#options.model}: no record was read yet.`);
  }

  /**
   * The model's columns, among them those of the names that are paths. The model, and the others
   * where a path or a count leads to some, are read from the catalogue once.
   */
  async columns(names: readonly string[], signal?: AbortSignal): Promise<Columns> {
    const { caseSensitive = false, related } = this.#options;
    const reading = { signal: this.#any(signal) };
    this.#model ??= await this.#client.model(this.#options.model, reading);
    if (related || names.some((name) => name.includes('.')))
      this.#others ??= await this.#client.models(reading);
    const linked = { ...this.#model, others: this.#others ?? [] };
    return new Columns(withRelated(linked, related), { grid: this.#grid, caseSensitive });
  }

  /** Reads rows that the grid shows: their list is the one that is watched. */
  async show({ isBlock = false, ...wanted }: WantedRows): Promise<BlockRows> {
    const list = await this.#rows(wanted);
    const askedAt = performance.now();
    const known = await this.#readRows(list, wanted);
    this.#shown.note({ list, known, askedAt, block: isBlock ? wanted.start : null });
    return known;
  }

  /** Reads rows. */
  async read(wanted: Wanted): Promise<BlockRows> {
    return this.#readRows(await this.#rows(wanted), wanted);
  }

  /**
   * Calls a listener when the list that the grid shows is another one than it has read.
   *
   * @returns ends it
   */
  watch(listener: ChangeListener, options: GridWatchOptions = {}): () => void {
    return this.#shown.watch(this.#client, listener, options);
  }

  /** Reads groups, each as a row. Their number is exact. */
  async readGroups(wanted: WantedGroups): Promise<BlockRows> {
    const list = await this.#list(wanted);
    const { by, aggregates } = wanted;
    const signal = this.#any(wanted.signal);
    return this.#readBlock(wanted, async (page, size) =>
      this.#client.groups({ ...list, by: [by], aggregates, size }).page(page, { signal }),
    );
  }

  /** The text by which the grid knows a row. */
  rowId(row: Row): string {
    return rowIdOf(this.known, row);
  }

  async #rows(wanted: Wanted): Promise<GridList> {
    const list = await this.#list(wanted);
    const { total } = this.#options;
    return { ...list, attributes: this.#attributes(), ...(total && { total }) };
  }

  async #readRows(rows: GridList, wanted: Wanted): Promise<BlockRows> {
    const signal = this.#any(wanted.signal);
    const read = async (list: GridList): Promise<BlockRows> =>
      this.#readBlock(wanted, async (page, size) =>
        this.#client.query({ ...list, page, size }, { signal }),
      );
    const block = await read(rows);
    if (block.totalNumber !== null || block.rows.length > 0 || wanted.start === 0) return block;
    // A grid would take the list to end where the block begins. It has fewer rows to count.
    return { ...(await read({ ...rows, total: 'exact' })), total: block.total };
  }

  async #list({ filter, sort, signal }: Wanted): Promise<List> {
    const part = withinLimits(await this.columns([], signal), filter);
    const { model, related } = this.#options;
    return {
      model,
      ...(part && { filter: part }),
      ...(sort.length > 0 && { sort }),
      ...(related && { related }),
    };
  }

  async #readBlock(block: Block, readPage: PagedList['readPage']): Promise<BlockRows> {
    const { name: model, max_page_size: maxPageSize } = this.known;
    return readRows({ model, maxPageSize, readPage }, block);
  }

  #attributes(): readonly string[] {
    const { attributes, key } = this.known;
    const { attributes: wanted = attributes.map(({ name }) => name), related = {} } = this.#options;
    const others = key.length > 0 ? keyOf(this.known) : [];
    return [...new Set([...wanted, ...Object.keys(related), ...others])];
  }

  #any(signal: AbortSignal | undefined): AbortSignal | undefined {
    const signals = [this.#options.signal, signal].filter((one) => one !== undefined);
    return signals.length > 1 ? AbortSignal.any(signals) : signals[0];
  }
}

/** What the providers of a whole service take. */
export interface ResourceOptions extends Omit<SourceOptions, 'model' | 'attributes'> {
  /**
   * What is said of single resources. By default a resource is the model of its name, with all
   * attributes that the token sees.
   */
  readonly resources?: Readonly<Record<string, Partial<Omit<SourceOptions, 'signal'>>>>;
}

/** The same as `WatchShown` for one resource. */
export type WatchResource = (
  resource: string,
  ...watching: Parameters<WatchShown>
) => ReturnType<WatchShown>;

/** The models of a service, by the names that a program has for them. */
export class Sources {
  readonly #grid: string;
  readonly #client: GridClient;
  readonly #options: ResourceOptions;
  readonly #sources = new Map<string, GridSource>();

  constructor(grid: string, client: GridClient, options: ResourceOptions) {
    this.#grid = grid;
    this.#client = client;
    this.#options = options;
  }

  of(resource: string): GridSource {
    const known = this.#sources.get(resource);
    if (known) return known;
    const { resources = {}, ...common } = this.#options;
    const own = Object.hasOwn(resources, resource) ? resources[resource] : undefined;
    const source = new GridSource(this.#grid, this.#client, {
      model: resource,
      ...common,
      ...own,
    });
    this.#sources.set(resource, source);
    return source;
  }
}

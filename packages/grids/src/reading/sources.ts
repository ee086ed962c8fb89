import type { GridClient } from '../model/client.ts';
import type { WatchShown } from './shown-list.ts';
import { GridSource, type SourceOptions } from './source.ts';

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

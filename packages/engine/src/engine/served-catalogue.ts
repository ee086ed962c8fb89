import { CacheStore } from '../cache-store.ts';
import type { BuiltCatalogue } from '../catalogue/build/build.ts';
import type { ExposeSettings } from '../catalogue/model-settings.ts';
import { type ModelChange, modelChanges, refreshCatalogue } from '../catalogue/refresh.ts';
import type { CatalogueCandidate } from '../engine-types.ts';
import { Preparer } from '../sql/prepared/preparer.ts';
import type { Acceleration } from '../reading/acceleration.ts';
import { Reading } from '../reading/reading.ts';
import type { Source } from '../sources/source.ts';
import { readCatalogue } from './read-catalogue.ts';

interface Exposure {
  readonly settings: ExposeSettings;
  readonly generation: number;
}

export interface Serving extends BuiltCatalogue, Exposure {
  readonly preparer: Preparer;
  readonly reading: Reading;
}

export interface ServedCatalogueParts {
  readonly source: Source;
  readonly acceleration: Acceleration;
  readonly maxReplyBytes: number;
  readonly replicas?: number | undefined;
}

export class ServedCatalogue {
  readonly #parts: ServedCatalogueParts;
  #memoryBytes: number;
  readonly #listeners: ((change: ModelChange) => void)[] = [];
  #serving: Serving;

  constructor(parts: ServedCatalogueParts, built: BuiltCatalogue, settings: ExposeSettings) {
    this.#parts = parts;
    this.#memoryBytes = parts.acceleration.memoryBytes;
    this.#serving = this.#serve(built, { settings, generation: 0 });
  }

  get current(): Serving {
    return this.#serving;
  }

  onModelChange(listener: (change: ModelChange) => void): void {
    this.#listeners.push(listener);
  }

  async prepare(settings: ExposeSettings): Promise<CatalogueCandidate> {
    const built = await readCatalogue(this.#parts.source, settings);
    return {
      ...built,
      apply: () => this.#replace(built, { settings, generation: this.#serving.generation + 1 }),
    };
  }

  /** Marks what is missing. Caches stay valid where the schema is the same. */
  async refresh(): Promise<void> {
    const before = this.#serving;
    const { settings, generation } = before;
    let found = await readCatalogue(this.#parts.source, settings);
    // MariaDB shows no table for a moment while another takes its place, as in `alter table`.
    const isWhole = [...before.catalogue.keys()].every((name) => found.catalogue.has(name));
    if (!isWhole) found = await readCatalogue(this.#parts.source, settings);
    // Other settings were applied meanwhile: drop this reading.
    if (this.#serving !== before) return;
    const catalogue = refreshCatalogue(before.catalogue, found);
    const changes = modelChanges(before.catalogue, catalogue);
    if (changes.length === 0) return;
    this.#replace({ ...found, catalogue }, { settings, generation });
    for (const change of changes) for (const listener of this.#listeners) listener(change);
  }

  async changesOn(server: Source): Promise<ModelChange[]> {
    const { catalogue, settings } = this.#serving;
    const found = refreshCatalogue(catalogue, await readCatalogue(server, settings));
    return modelChanges(catalogue, found);
  }

  setMemory(bytes: number): void {
    if (bytes === this.#memoryBytes) return;
    this.#memoryBytes = bytes;
    this.#replace(this.#serving, this.#serving);
  }

  async close(): Promise<void> {
    await this.#serving.reading.close();
  }

  /** Empties the caches, which may not fit the new catalogue. */
  #replace(built: BuiltCatalogue, exposure: Exposure): void {
    void this.close();
    this.#serving = this.#serve(built, exposure);
  }

  #serve(built: BuiltCatalogue, exposure: Exposure): Serving {
    const { source, acceleration, maxReplyBytes, replicas = 0 } = this.#parts;
    // The caches of all servers share the memory of the settings.
    const settings = { ...acceleration, memoryBytes: this.#memoryBytes / (1 + replicas) };
    const store = new CacheStore(settings.memoryBytes);
    const { catalogue } = built;
    const options = { ...settings, maxReplyBytes };
    const parts = { catalogue, dialect: source.dialect, options, store };
    const preparer = new Preparer(parts);
    const reading = new Reading({ source, settings, store });
    return { ...built, ...exposure, preparer, reading };
  }
}

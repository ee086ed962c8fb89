import { RELATION_LIMITS } from '@proj/contract';

import { type Grant, type VisibleModel, visibleModel } from '../catalogue/grant.ts';
import type { Catalogue, Model } from '../catalogue/model.ts';
import type { ComputedValue } from '../catalogue/relation.ts';

/** What the names of one request share: numbers of joins, and what they lead to. */
export class RequestScope {
  readonly catalogue: Catalogue;
  readonly grant: Grant;
  readonly models = new Set<Model>();
  readonly computed = new Set<ComputedValue>();
  readonly #paths = new Set<string>();
  #numbers = 0;

  constructor(catalogue: Catalogue, grant: Grant) {
    this.catalogue = catalogue;
    this.grant = grant;
  }

  nextNumber(): number {
    this.#numbers += 1;
    return this.#numbers - 1;
  }

  seen(name: string): VisibleModel | undefined {
    return visibleModel(this.catalogue, this.grant, name);
  }

  noteComputed({ columns }: Model, named: readonly string[]): void {
    for (const column of named) {
      const value = columns.get(column)?.computed;
      if (value !== undefined) this.computed.add(value);
    }
  }

  notes(path: string): boolean {
    this.#paths.add(path);
    return this.#paths.size <= RELATION_LIMITS.paths;
  }
}

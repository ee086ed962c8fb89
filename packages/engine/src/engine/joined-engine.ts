import type { Grant } from '../catalogue/grant.ts';
import type { Catalogue } from '../catalogue/model.ts';
import type { ModelChange } from '../catalogue/refresh.ts';
import type { AnsweringEngine, Engine } from '../engine-types.ts';
import { InvalidQueryError, QueryFailedError } from '../errors.ts';
import { unknownModel } from '../planning/check-names.ts';

export interface EnginePart {
  readonly engine: Engine;
  /** Whether it may have a model of this name that it does not know yet. */
  readonly mayHave: (model: string) => boolean;
}

type Listener = (change: ModelChange) => void;

/** Sends each request to the one engine that has its model. */
export class JoinedEngine implements AnsweringEngine {
  readonly #listeners: Listener[] = [];
  readonly #underWay = new Map<Engine, Set<Promise<unknown>>>();
  readonly #heard = new WeakSet<Engine>();
  #parts: readonly EnginePart[] = [];
  #joined: { readonly of: readonly Catalogue[]; readonly catalogue: Catalogue } | undefined;

  get catalogue(): Catalogue {
    const of = this.#parts.map(({ engine }) => engine.catalogue);
    const known = this.#joined;
    const isSame = known?.of.length === of.length && of.every((one, at) => one === known.of[at]);
    if (known !== undefined && isSame) return known.catalogue;
    const catalogue = new Map(of.flatMap((one) => [...one]));
    this.#joined = { of, catalogue };
    return catalogue;
  }

  get replicas(): Engine['replicas'] {
    return this.#parts.find(({ engine }) => engine.replicas !== undefined)?.engine.replicas;
  }

  /** No two engines have a model of the same name. */
  replace(parts: readonly EnginePart[]): void {
    this.#parts = parts;
    for (const { engine } of parts) {
      if (this.#heard.has(engine)) continue;
      this.#heard.add(engine);
      engine.onModelChange((change) => {
        for (const listener of this.#listeners) listener(change);
      });
    }
  }

  async settled(engine: Engine): Promise<void> {
    const underWay = this.#underWay.get(engine);
    if (underWay !== undefined) await Promise.allSettled(underWay);
  }

  readonly query: Engine['query'] = (body, grant, call) =>
    this.#ask(body, grant, (engine) => engine.query(body, grant, call));

  readonly facets: Engine['facets'] = (body, grant, call) =>
    this.#ask(body, grant, (engine) => engine.facets(body, grant, call));

  readonly export: Engine['export'] = (body, grant, call) =>
    this.#ask(body, grant, (engine) => engine.export(body, grant, call));

  readonly watch: Engine['watch'] = (body, grant, call) =>
    this.#ask(body, grant, (engine) => engine.watch(body, grant, call));

  readonly isKey: Engine['isKey'] = async (model, options) => {
    const owner = this.#ownerOf(model.name);
    if (owner === undefined) throw unavailable();
    return owner.isKey(model, options);
  };

  onModelChange(listener: Listener): void {
    this.#listeners.push(listener);
  }

  /** @throws {QueryFailedError} when no database answers; `overloaded` where one is only that */
  async ping(): Promise<void> {
    const pings = this.#parts.map(({ engine }) => engine.ping());
    try {
      await Promise.any(pings);
    } catch (error) {
      const reasons: unknown[] = error instanceof AggregateError ? error.errors : [error];
      const busy = reasons.find(
        (one) => one instanceof QueryFailedError && one.code === 'overloaded',
      );
      throw busy ?? reasons[0] ?? unavailable();
    }
  }

  async #ask<Value>(body: unknown, grant: Grant, ask: (engine: Engine) => Promise<Value>) {
    const asked: unknown = Reflect.get(Object(body), 'query_model');
    const name = typeof asked === 'string' ? asked : undefined;
    const engine = this.#engineFor(name, grant);
    const answering = ask(engine);
    const underWay = this.#underWay.get(engine) ?? new Set();
    this.#underWay.set(engine, underWay.add(answering));
    try {
      return await answering;
    } catch (error) {
      throw this.#explained(error, name, grant);
    } finally {
      underWay.delete(answering);
      if (underWay.size === 0) this.#underWay.delete(engine);
    }
  }

  /** If no engine has the model, one that can explain the request's error. */
  #engineFor(name: string | undefined, grant: Grant): Engine {
    const owner = name === undefined ? undefined : this.#ownerOf(name);
    if (owner !== undefined) return owner;
    const isNamed = name !== undefined && (grant.models === 'all' || grant.models.has(name));
    const waiting = isNamed ? this.#parts.find(({ mayHave }) => mayHave(name)) : undefined;
    const open = this.#parts.find(({ engine }) => engine.catalogue.size > 0);
    const part = waiting ?? open ?? this.#parts[0];
    if (part === undefined) throw unavailable();
    return part.engine;
  }

  #ownerOf(name: string): Engine | undefined {
    return this.#parts.find(({ engine }) => engine.catalogue.has(name))?.engine;
  }

  #explained(error: unknown, query_model: string | undefined, grant: Grant): unknown {
    if (!(error instanceof InvalidQueryError) || query_model === undefined) return error;
    const isUnknown = error.errors.some(({ code }) => code === 'unknown_model');
    if (!isUnknown) return error;
    const meant = unknownModel({ query_model }, this.catalogue, grant);
    return new InvalidQueryError(
      error.errors.flatMap((one) => (one.code === 'unknown_model' ? meant : one)),
    );
  }
}

function unavailable(): QueryFailedError {
  return new QueryFailedError('database_unavailable', 'No database of the service answers.');
}

import { type Engine, EVERYTHING } from '@proj/engine';
import { afterFile } from '@proj/test-servers';

import { BulkheadPool } from '../../engine/src/sources/pools/bulkhead-pool.ts';
import { askFacets } from './databases/checked-facets.ts';
import { exported } from './exported.ts';
import { ask } from './open.ts';
import { outcome } from './outcome.ts';

/** The model `t` is read in all ways, by transactions where its database has some. */
export const READINGS: readonly (readonly [string, (engine: Engine) => Promise<unknown>])[] = [
  ['a page', (engine) => ask(engine, { model: 't', attributes: ['id'] })],
  ['a deep page', (engine) => ask(engine, { model: 't', attributes: ['id'], page: 102 })],
  ['facets', (engine) => askFacets(engine, { model: 't', facets: [{ attribute: 'id', bins: 3 }] })],
  [
    'the page of a record',
    (engine) => {
      const page = { size: 10, containing: { id: 5 } };
      return engine.query({ query_model: 't', query_attributes: ['id'], page }, EVERYTHING);
    },
  ],
  ['a whole list', (engine) => exported(engine, { model: 't' })],
];

/** Stops one statement of a reading. */
export class StatementStop {
  #left = 0;

  /**
   * Lets methods of connections run something else where the statement is the one to stop.
   *
   * @param instead gets the connection, and what the method was called with
   */
  in<On extends object>(
    connections: { readonly prototype: On },
    methods: readonly (keyof On)[],
    instead: (connection: On, given: readonly unknown[]) => Promise<unknown>,
  ): void {
    for (const name of methods)
      intercept(connections.prototype, name, (connection, given, run) => {
        const isNext = this.#left > 0 && --this.#left === 0;
        return isNext ? instead(connection, given) : run();
      });
  }

  /**
   * Does a reading as often as it has statements, and stops another one of them each time.
   *
   * @returns how many there were
   */
  async each(reading: () => Promise<unknown>, after: () => Promise<void>): Promise<number> {
    for (let nth = 1; ; nth++) {
      this.#left = nth;
      const how = await outcome(reading());
      const wasStopped = this.#left === 0;
      this.#left = 0;
      await after();
      if (!wasStopped && how === 'answered') return nth - 1;
    }
  }
}

/** Looks at each connection at the moment at which a pool gets it back. */
export function atRelease(look: (connection: unknown) => void): void {
  intercept(BulkheadPool.prototype, 'release', (_, [connection], release) => {
    look(connection);
    return release();
  });
}

/** Puts a function around a method, until the tests of the file are done. */
function intercept<On extends object>(
  prototype: On,
  name: keyof On,
  around: (self: On, given: readonly unknown[], run: () => unknown) => unknown,
): void {
  const method: unknown = Reflect.get(prototype, name);
  if (typeof method !== 'function') throw new Error('It is no method.');
  const run = method;
  function changed(this: On, ...given: readonly unknown[]): unknown {
    return around(this, given, () => Reflect.apply(run, this, given) as unknown);
  }
  Reflect.set(prototype, name, changed);
  afterFile(async () => void Reflect.set(prototype, name, run));
}

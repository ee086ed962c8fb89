import { type Engine, type Model, QueryFailedError } from '@proj/engine';
import type { Logger } from 'pino';

import { modelsWithDeclaredKey } from './declared-keys.ts';
import { databasesIn } from '../settings/databases.ts';
import type { Settings } from '../settings/schema.ts';

/**
 * Checks one by one that declared keys are unique and never NULL, on the connections for slow
 * statements. A broken key is logged and counted; its model is still served, since most of its
 * pages are right.
 */
export class KeyProofs {
  readonly #engine: Pick<Engine, 'catalogue' | 'isKey'>;
  readonly #log: Pick<Logger, 'error' | 'warn'>;
  #broken = new Set<string>();

  constructor(engine: Pick<Engine, 'catalogue' | 'isKey'>, log: Pick<Logger, 'error' | 'warn'>) {
    this.#engine = engine;
    this.#log = log;
  }

  /** Declared keys found not to be unique. */
  get broken(): number {
    return this.#broken.size;
  }

  /** Resolves when each key is proved, or cannot be. A later run ends an earlier one. */
  async run(settings: Settings): Promise<void> {
    const broken = new Set<string>();
    this.#broken = broken;
    const models = databasesIn(settings).flatMap((one) =>
      modelsWithDeclaredKey(this.#engine, one.settings),
    );
    for (const model of models) {
      if (this.#broken !== broken) return;
      await this.#prove(model, broken);
    }
  }

  async #prove(model: Model, broken: Set<string>): Promise<void> {
    try {
      if (await this.#engine.isKey(model, { background: true })) return;
      broken.add(model.name);
      const fields = { model: model.name, key: model.key.map(({ column }) => column) };
      this.#log.error(
        fields,
        'the declared key is not unique or holds NULL: pages may repeat and lose records',
      );
    } catch (error) {
      if (error instanceof QueryFailedError && error.code === 'shutting_down') return;
      const reason = error instanceof Error ? error.message : String(error);
      this.#log.warn({ model: model.name, reason }, 'the declared key could not be checked');
    }
  }
}

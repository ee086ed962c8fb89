import type { Engine, EngineSettings } from '@proj/engine';

import type { Fixture } from '../fixtures/fixture.ts';
import { open } from '../open.ts';
import type { Calling } from './callers.ts';
import { exposure } from './models.ts';

/** Every mechanism is on, as it is by default, and small tables are enough for it. */
const ACCELERATION: NonNullable<EngineSettings['acceleration']> = {
  pageIndexMinOffset: 100,
  leastCountMs: 0,
  memoryBytes: 32 * 2 ** 20,
};

/** An engine that may use every shortcut there is. */
export function openUnderTest(url: string, fixture: Fixture): Promise<Engine> {
  return open(url, { ...exposure(fixture), ...fixture.settings, acceleration: ACCELERATION });
}

/**
 * Its writers wait for readers, and keep this process from taking what is exported meanwhile. Whole
 * lists of it are compared in `concurrent-writer.test.ts`, where another process writes.
 */
const WITHOUT_EXPORTS = 'SQLite without WAL';

/** What callers ask of an engine. */
export function askedOf(engine: Engine, { name }: Fixture): Calling['engine'] {
  if (name !== WITHOUT_EXPORTS) return engine;
  return { query: engine.query.bind(engine), facets: engine.facets.bind(engine) };
}

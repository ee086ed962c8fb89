import type { Engine, EngineSettings } from '@proj/engine';

import type { Fixture } from '../fixtures/fixture.ts';
import { open } from '../open.ts';
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

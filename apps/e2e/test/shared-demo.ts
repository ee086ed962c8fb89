import type { RunningService } from '@proj/test-servers';
import type { TestProject } from 'vitest/node';

import { startDemo } from './explorer/service.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Origin of the demo. */
    readonly demo: string;
  }
}

declare global {
  /** The projects of a run load this file each for itself, and share one demo. */
  var demoOfRun: Promise<RunningService> | undefined;
}

/** Starts the demo, once for the run: most of the files of `apps/e2e` only read it. */
export default async function setUp({ provide }: TestProject): Promise<() => Promise<void>> {
  globalThis.demoOfRun ??= startDemo();
  const { origin, stop } = await globalThis.demoOfRun;
  provide('demo', origin);
  return stop;
}

import { takeProgramPart } from '@proj/engine';

/** The modules that run as processes of their own, by their names as parts of the program. */
const PARTS = new Map<string | undefined, () => Promise<unknown>>([
  [undefined, () => import('../src/main.ts')],
  ['worker', () => import('../src/commands/workers/worker-process.ts')],
  ['reader', () => import('@proj/sqlite/reader-process')],
]);

void PARTS.get(takeProgramPart())?.();

import { fileURLToPath } from 'node:url';

import { ensureDemoDatabase } from '@proj/demo/dist/build-demo.js';
import { inject } from 'vitest';

const ROOT = import.meta.resolve('@proj/demo/package.json');

/** The demo that all files share, as `pnpm start` serves it. */
export const DEMO = { origin: inject('demo') } as const;

/** Path of the database file of the demo. */
export async function demoFile(): Promise<string> {
  return ensureDemoDatabase({ directory: fileURLToPath(new URL('.cache', ROOT)) });
}

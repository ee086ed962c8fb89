import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { ensureDemoDatabase } from '@proj/demo/dist/build-demo.js';
import { afterAll, beforeAll } from 'vitest';

import { type Service, startService } from '../support/service.ts';

const ROOT = import.meta.resolve('@proj/demo/package.json');

/** The demo, as `pnpm start` serves it. */
export interface Demo extends Service {
  /** The database file. */
  readonly file: string;
}

/** A service of the demo for all tests of a file; the answer gives it, within tests. */
export function demoOfTests(): () => Demo {
  let demo: Demo | undefined;
  beforeAll(async () => {
    const file = await ensureDemoDatabase({ directory: fileURLToPath(new URL('.cache', ROOT)) });
    const settings = await readFile(new URL('demo.yaml', ROOT), 'utf8');
    demo = { ...(await startService({ database: `sqlite:${file}`, settings })), file };
  });
  afterAll(async () => demo?.stop());
  return () => {
    if (demo === undefined) throw new Error('The demo does not run yet: ask for it within a test.');
    return demo;
  };
}

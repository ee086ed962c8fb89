import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

/** A new folder, which the caller removes. */
export async function makeFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'dynamic-query-e2e-'));
}

/** A new folder that goes with the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await makeFolder();
  onTestFinished(async () => rm(folder, { recursive: true, force: true }));
  return folder;
}

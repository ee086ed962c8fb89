import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

/**
 * A fresh directory, named like the one in use, that does not exist yet; gone when the test is
 * over.
 */
export function dataDirectory(): string {
  const parent = mkdtempSync(join(tmpdir(), 'demo-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  return join(parent, '.cache');
}

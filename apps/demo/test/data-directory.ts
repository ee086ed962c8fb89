import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { onTestFinished } from 'vitest';

import { ensureDemoDatabase } from '../src/build-demo.ts';

/**
 * A fresh directory, named like the one in use, that does not exist yet; gone when the test is
 * over.
 */
export function dataDirectory(): string {
  const parent = mkdtempSync(join(tmpdir(), 'demo-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  return join(parent, '.cache');
}

let built: Promise<string> | undefined;

/** The path of a demo database, which a worker builds once. It must not be changed. */
export async function builtFile(): Promise<string> {
  built ??= ensureDemoDatabase({ directory: mkdtempSync(join(tmpdir(), 'demo-')) });
  return built;
}

/** A copy of it, in a fresh directory. */
export async function copiedFile(): Promise<{ readonly directory: string; readonly file: string }> {
  const [from, directory] = [await builtFile(), dataDirectory()];
  const file = join(directory, basename(from));
  cpSync(from, file);
  return { directory, file };
}

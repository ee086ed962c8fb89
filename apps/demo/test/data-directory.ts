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

let built: Promise<Built> | undefined;

/** A demo database, and what was reported while it was built. */
interface Built {
  readonly file: string;
  readonly reports: readonly number[];
}

/** Builds a demo database in a directory that does not exist, once for a worker. */
export async function builtOnce(): Promise<Built> {
  built ??= build(join(mkdtempSync(join(tmpdir(), 'demo-')), '.cache'));
  return built;
}

async function build(directory: string): Promise<Built> {
  const reports: number[] = [];
  const onProgress = (done: number): void => void reports.push(done);
  return { file: await ensureDemoDatabase({ directory, onProgress }), reports };
}

/** The path of a demo database, which must not be changed. */
export async function builtFile(): Promise<string> {
  return (await builtOnce()).file;
}

/** A copy of it, in a fresh directory. */
export async function copiedFile(): Promise<{ readonly directory: string; readonly file: string }> {
  const [from, directory] = [await builtFile(), dataDirectory()];
  const file = join(directory, basename(from));
  cpSync(from, file);
  return { directory, file };
}

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { onTestFinished } from 'vitest';

/** The folder of the repository. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Runs a program of the repository and gives what it prints.
 *
 * @throws when it ends with another code than 0, with what it printed
 */
export function run(command: string, args: readonly string[], cwd: string = ROOT): string {
  return execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
    shell: process.platform === 'win32',
  });
}

/** The paths of all files of the repository that are there, also of those not committed yet. */
export function repositoryFiles(): string[] {
  // The checkout may belong to another user than the one of the tests.
  const safe = ['-c', `safe.directory=${ROOT.replace(/\/$/, '')}`];
  const kinds = ['--cached', '--others', '--exclude-standard'];
  const listed = run('git', [...safe, 'ls-files', '-z', ...kinds]);
  return listed.split('\0').filter((path) => path !== '' && existsSync(join(ROOT, path)));
}

/** A repository of its own with the files of this one as they are now, for the time of the test. */
export function copyRepository(): string {
  const copy = mkdtempSync(join(tmpdir(), 'dynamic-query-copy-'));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  for (const path of repositoryFiles()) cpSync(join(ROOT, path), join(copy, path));
  run('git', ['init', '--quiet'], copy);
  run('git', ['add', '--all'], copy);
  const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
  run('git', [...author, 'commit', '--quiet', '--no-verify', '--message=copy'], copy);
  return copy;
}

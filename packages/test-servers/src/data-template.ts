import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Makes the data directory of a new server. Where `TEST_SERVER_TEMPLATES` names a folder, as in a
 * run of vitest, the first server of a kind leaves a template there, and the next ones copy it: a
 * tenth of the work.
 *
 * @param kind distinguishes what is made in different ways
 */
export async function makeDataDirectory(
  kind: string,
  directory: string,
  make: (directory: string) => Promise<void>,
  templates = process.env['TEST_SERVER_TEMPLATES'],
): Promise<void> {
  // Windows has no command that copies files with their owners.
  if (templates === undefined || process.platform === 'win32') return make(directory);
  const template = join(templates, kind);
  if (!existsSync(template)) await makeTemplate(template, make);
  await run('cp', ['-a', template, directory]);
}

/** Several processes may make one at the same time: whoever is done first, leaves it. */
async function makeTemplate(
  template: string,
  make: (directory: string) => Promise<void>,
): Promise<void> {
  const own = `${template}-${process.pid}`;
  await make(own);
  try {
    await rename(own, template);
  } catch (error) {
    await rm(own, { recursive: true, force: true });
    if (!existsSync(template)) throw error;
  }
}

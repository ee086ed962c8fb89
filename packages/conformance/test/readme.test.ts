import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { startProgram } from '@proj/test-servers';
import { expect, it, onTestFinished } from 'vitest';

import { TOKEN } from '../../cli/test/service/service.ts';
import { serveWhole } from './service/serve-whole.ts';

const PACKAGE = join(import.meta.dirname, '..');
const README = readFileSync(join(PACKAGE, 'README.md'), 'utf8');

/** The one block of a language. */
function block(language: string): string {
  const fence = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms');
  return fence.exec(README)?.[1] ?? '';
}

it('prints what the README shows', async () => {
  const { url } = await serveWhole(42);
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
  onTestFinished(async () => rm(folder, { recursive: true }));
  const npx = `#!/bin/sh\nshift\nexec "${process.execPath}" "${PACKAGE}/src/main.ts" "$@"\n`;
  await writeFile(join(folder, 'npx'), npx);
  await chmod(join(folder, 'npx'), 0o755);
  const shown = block('console');
  const [, command = ''] = /^\$ (.*)$/m.exec(shown) ?? [];
  const script = `cd ${folder}; ${command.replace('https://data.example.com', url)}`;
  const { stdout, stderr } = await startProgram('bash', ['-c', script], {
    DYNAMIC_QUERY_TOKEN: TOKEN,
    PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}`,
  }).ended;
  expect({ stdout, stderr }).toEqual({ stdout: shown.replace(/^\$ .*\n/, ''), stderr: '' });
});

it('runs the program of the README, which prints each rule', async () => {
  const { url } = await serveWhole(42);
  const source = block('js').replace('https://data.example.com', url);
  const { stdout, code } = await startProgram(
    'bash',
    ['-c', 'cd "$0" && exec node --input-type=module -e "$1"', PACKAGE, source],
    { DYNAMIC_QUERY_TOKEN: TOKEN },
  ).ended;
  expect(stdout).toMatch(/^reply-members holds/);
  expect(code).toBe(0);
});

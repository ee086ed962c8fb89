/**
 * `pnpm start`: the operator's command, on the demo unless the arguments or the environment name
 * something else.
 */
import { fileURLToPath } from 'node:url';

import { run } from '@proj/server';

import { ensureDemoDatabase } from './build-demo.ts';
import { namesDatabase } from './names-database.ts';
import { progressBar } from './progress-bar.ts';

const args = process.argv.slice(2);
process.exitCode = await run({
  args: namesDatabase(args, process.env) ? args : await demoArgs(args),
  env: process.env,
  command: 'npx -y pnpm start',
});

async function demoArgs(given: readonly string[]): Promise<string[]> {
  const directory = fileURLToPath(new URL('../.cache', import.meta.url));
  const file = await ensureDemoDatabase({
    directory,
    onProgress: progressBar('Building the demo database, once'),
  });
  const settings = fileURLToPath(new URL('../demo.yaml', import.meta.url));
  const demo = [
    'serve',
    '--config',
    settings,
    '--database',
    `sqlite:${file}`,
    '--log-level',
    'warn',
  ];
  return [...demo, ...(given[0] === 'serve' ? given.slice(1) : given)];
}

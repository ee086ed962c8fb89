import { join } from 'node:path';

import { createConsumer } from './consumer.ts';

/** Of each runtime the package for Linux with glibc, which runs no script when it is installed. */
const PACKAGES = {
  node: { name: `node-linux-${process.arch}`, program: 'bin/node' },
  deno: { name: `@deno/linux-${process.arch}-glibc`, program: 'deno' },
  bun: { name: `@oven/bun-linux-${process.arch}`, program: 'bin/bun' },
} as const;

/**
 * Installs the newest of a line of a runtime, such as 22 of Node, for as long as the tests run.
 *
 * @returns the path of its program
 */
export async function installRuntime(
  registry: string,
  runtime: keyof typeof PACKAGES,
  version: string,
): Promise<string> {
  const { name, program } = PACKAGES[runtime];
  const { folder, run } = await createConsumer({ registry });
  await run('npm', 'install', `${name}@${version}`);
  return join(folder, 'node_modules', name, program);
}

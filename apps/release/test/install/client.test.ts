import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';

import type { RunningService } from '@proj/test-servers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { type Consumer, createConsumer } from './consumer.ts';
import { type Registry, startRegistry } from './registry.ts';
import { installRuntime } from './runtimes.ts';
import { LIST_READ, serveFromRepository, TOKEN } from './service.ts';

let registry: Registry;
let service: RunningService;
let consumer: Consumer;

beforeAll(async () => {
  registry = await startRegistry();
  service = await serveFromRepository();
});

afterAll(async () => {
  await service?.stop();
  await registry?.stop();
});

beforeEach(async () => {
  consumer = await createConsumer({ registry: registry.url, node: process.execPath });
});

afterEach(async () => consumer.remove());

/** What a program prints, given where the service is. */
async function printed(command: string, ...args: string[]): Promise<string> {
  return (await consumer.run(command, ...args, service.origin, TOKEN)).stdout.trim();
}

describe('a bundle of a program that reads a list is complete, made by', () => {
  it.each([
    ['vite', 'vite build --config vite.config.mjs'],
    ['esbuild', 'esbuild main.mjs --bundle --format=esm --outfile=out/bundle.mjs'],
    ['rolldown', 'rolldown main.mjs --format esm --file out/bundle.mjs'],
  ])('%s', async (bundler, command) => {
    await consumer.run('npm', 'install', '@proj/client', bundler);
    await consumer.copy('main.mjs', 'read-list.mjs', 'vite.config.mjs');
    await consumer.run('npx', ...command.split(' '));
    // Nothing that is installed is in reach there.
    await mkdir(join(consumer.folder, '../elsewhere'));
    await rename(
      join(consumer.folder, 'out/bundle.mjs'),
      join(consumer.folder, '../elsewhere/bundle.mjs'),
    );
    expect(await printed('node', '../elsewhere/bundle.mjs')).toBe(LIST_READ);
  });
});

it('a worker of workerd, by miniflare, reads a list', async () => {
  await consumer.run('npm', 'install', '@proj/client', 'esbuild', 'miniflare');
  await consumer.copy('worker.mjs', 'read-list.mjs', 'run-worker.mjs');
  const bundle = ['worker.mjs', '--bundle', '--format=esm', '--outfile=out/worker.mjs'];
  await consumer.run('npx', 'esbuild', ...bundle);
  expect(await printed('node', 'run-worker.mjs', 'out/worker.mjs')).toBe(LIST_READ);
});

it('Deno adds the package and reads a list, with no right but to reach the service', async () => {
  const deno = await installRuntime(registry.url, 'deno', '2');
  // What was published a minute ago is too young for its defaults.
  await consumer.run(deno, 'add', '--minimum-dependency-age=0', 'npm:@proj/client');
  await consumer.copy('main.mjs', 'read-list.mjs');
  const allowed = `--allow-net=${new URL(service.origin).host}`;
  expect(await printed(deno, 'run', '--no-prompt', allowed, 'main.mjs')).toBe(LIST_READ);
});

it('Bun adds the package and reads a list, by import and by require', async () => {
  const bun = await installRuntime(registry.url, 'bun', '1');
  await consumer.run(bun, 'add', '@proj/client');
  await consumer.copy('main.mjs', 'main.cjs', 'read-list.mjs');
  expect(await printed(bun, 'main.mjs')).toBe(LIST_READ);
  expect(await printed(bun, 'main.cjs')).toBe(LIST_READ);
});

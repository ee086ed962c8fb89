import { readFileSync } from 'node:fs';
import { cp, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { ROOT } from '../repository.ts';
import { type Consumer, createConsumer } from './consumer.ts';
import { type Registry, startRegistry } from './registry.ts';

const GRIDS = join(ROOT, 'packages/grids');

/** What a page with each of the grids has; `ra-core` is react-admin without its icons. */
const LIBRARIES = [
  'ag-grid-community',
  '@mui/x-data-grid',
  '@mui/material',
  '@emotion/react',
  '@emotion/styled',
  '@refinedev/core',
  '@tanstack/react-query',
  '@tanstack/query-core',
  '@tanstack/table-core',
  'ra-core',
  'react',
  'react-dom',
];

const EXAMPLES = ['ag-grid', 'mui-x', 'react-admin', 'refine', 'tanstack-table'];

let registry: Registry;
let consumer: Consumer;

beforeAll(async () => {
  registry = await startRegistry();
  consumer = await createConsumer({ registry: registry.url, node: process.execPath });
  // MUI X names one version, and registries that mirror packages may lack the newest.
  const overrides = { '@mui/x-data-grid': { '@mui/x-virtualizer': '^0.7.2' } };
  const manifest = JSON.stringify({ private: true, type: 'module', overrides });
  await writeFile(join(consumer.folder, 'package.json'), manifest);
  const newest = LIBRARIES.map((name) => `${name}@latest`);
  const tools = ['typescript@latest', '@types/react@latest', 'expect-type@latest'];
  const own = ['@proj/client', '@proj/grids'];
  await consumer.run('npm', 'install', ...own, ...newest, ...tools);
});

afterAll(async () => {
  await consumer?.remove();
  await registry?.stop();
});

/** Compiles a file as a page's build does, and gives the errors. */
async function errorsOf(file: string): Promise<string> {
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    jsx: 'react-jsx',
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
  };
  const settings = { compilerOptions, files: [file] };
  await writeFile(join(consumer.folder, 'tsconfig.json'), JSON.stringify(settings));
  return consumer.run('node', 'node_modules/typescript/bin/tsc').then(
    () => '',
    (error: { stdout: string; stderr: string }) => error.stdout + error.stderr,
  );
}

it.each(EXAMPLES)(
  'who installs the packages compiles the example of %s with the newest grid',
  async (example) => {
    const file = join(GRIDS, 'examples', `${example}.ts`);
    await cp(file, join(consumer.folder, basename(file)));
    expect(await errorsOf(basename(file))).toBe('');
  },
);

it('each adapter goes where the newest version of its grid takes it', async () => {
  const source = readFileSync(join(GRIDS, 'test/library-types.test-d.ts'), 'utf8');
  const text = source.replace(`from 'vitest'`, `from 'expect-type'`);
  await writeFile(join(consumer.folder, 'library-types.ts'), text);
  expect(await errorsOf('library-types.ts')).toBe('');
});

it('the packages of the grids are named as theirs by the package of the adapters', () => {
  const manifest = readFileSync(join(GRIDS, 'package.json'), 'utf8');
  const { peerDependencies } = JSON.parse(manifest) as { peerDependencies: object };
  const known = [...LIBRARIES, 'react-admin'];
  expect(known).toEqual(expect.arrayContaining(Object.keys(peerDependencies)));
});

import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Consumer, createConsumer } from './consumer.ts';
import { type Registry, startRegistry } from './registry.ts';

/** From the oldest that the packages promise to the newest. */
const VERSIONS = ['5.4', '5.9', '6', '7'];

const PACKAGES = [
  'client',
  'contract',
  'paging',
  'cli',
  'conformance',
  'duckdb',
  'engine',
  'grids',
  'mysql',
  'postgres',
  'server',
  'sqlite',
];

/** Calls of the SDK that compile, and many more that do not. */
const CALLS = join(import.meta.dirname, '../../../../packages/client/test/typed-calls.test-d.ts');

/** The types that a program for browsers has. */
const BROWSER = { lib: ['es2022', 'dom', 'dom.iterable'], types: [] };

let registry: Registry;
let consumer: Consumer;

beforeAll(async () => {
  registry = await startRegistry();
  consumer = await createConsumer({ registry: registry.url, node: process.execPath });
  const packages = PACKAGES.map((name) => `@proj/${name}`);
  const compilers = VERSIONS.map((version) => `typescript-${version}@npm:typescript@${version}`);
  await consumer.run('npm', 'install', '@types/node@22', ...packages, ...compilers);
  await consumer.copy('typed.ts', 'operator.ts', 'required.cts');
  await cp(CALLS, join(consumer.folder, 'calls.ts'));
  await consumer.run('npm', 'pkg', 'set', 'type=module');
});

afterAll(async () => {
  await consumer?.remove();
  await registry?.stop();
});

/** Compiles files strictly, the declarations of all packages too, and gives the errors. */
async function errorsOf(version: string, files: string[], options: object): Promise<string> {
  const strict = { target: 'es2022', strict: true, skipLibCheck: false, noEmit: true };
  const settings = { compilerOptions: { ...strict, ...options }, files };
  await writeFile(join(consumer.folder, 'tsconfig.json'), JSON.stringify(settings));
  const compiler = `node_modules/typescript-${version}/bin/tsc`;
  return consumer.run('node', compiler).then(
    () => '',
    (error: { stdout: string; stderr: string }) => error.stdout + error.stderr,
  );
}

describe.each(VERSIONS)('with TypeScript %s', (version) => {
  it.each([
    ['node16', 'node16'],
    ['nodenext', 'nodenext'],
    ['bundler', 'esnext'],
  ])(
    `the SDK has types for moduleResolution %s, in TypeScript ${version}`,
    async (moduleResolution, module) => {
      const options = { ...BROWSER, module, moduleResolution };
      expect(await errorsOf(version, ['typed.ts', 'calls.ts'], options)).toBe('');
    },
  );

  it(`every package has types with those of Node alone, in TypeScript ${version}`, async () => {
    const options = { module: 'nodenext', lib: ['es2022'], types: ['node'] };
    expect(await errorsOf(version, ['typed.ts', 'operator.ts'], options)).toBe('');
  });
});

it.each(VERSIONS.filter((version) => Number(version) > 5.7))(
  'a file that becomes CommonJS imports the SDK with TypeScript %s',
  async (version) => {
    const options = { ...BROWSER, module: 'nodenext' };
    expect(await errorsOf(version, ['required.cts'], options)).toBe('');
  },
);

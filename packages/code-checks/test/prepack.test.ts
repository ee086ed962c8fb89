import { spawnSync } from 'node:child_process';
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { ROOT } from '../src/repository.ts';

const PREPACK = join(ROOT, 'scripts/prepack.js');

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly scripts?: Readonly<Record<string, string>>;
}

/** A folder with a package that is complete but for what a build makes. */
function unbuiltPackage(): string {
  const folder = mkdtempSync(join(tmpdir(), 'prepack-'));
  const manifest = {
    name: 'lamp',
    version: '1.0.0',
    files: ['README.md', 'dist', '!dist/**/*.test.js'],
    bin: { lamp: './dist/main.js' },
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    scripts: { prepack: `node ${JSON.stringify(PREPACK)}` },
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'README.md'), '# Lamp\n');
  return folder;
}

function build(folder: string, files: readonly string[]): void {
  mkdirSync(join(folder, 'dist'));
  for (const file of files) writeFileSync(join(folder, 'dist', file), '');
}

/** What a caller's own package manager has put there would say which one packs. */
const { npm_config_user_agent: _packer, npm_command: _command, ...ENVIRONMENT } = process.env;

function run(folder: string, ...[program, ...args]: string[]) {
  const shell = process.platform === 'win32';
  const { status, stdout, stderr } = spawnSync(program ?? '', args, {
    cwd: folder,
    encoding: 'utf8',
    env: ENVIRONMENT,
    shell,
  });
  const packed = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  return { failed: status !== 0, packed, output: stdout + stderr };
}

it.each(['pack', 'publish'])(
  'npm %s of a package of the workspace fails with the command to use',
  (command) => {
    const folder = unbuiltPackage();
    build(folder, ['main.js', 'index.js', 'index.d.ts']);
    const { output, ...outcome } = run(folder, 'npm', command, '--dry-run');
    expect(outcome).toEqual({ failed: true, packed: [] });
    expect(output).toContain(`lamp is packed by pnpm. Run: npx pnpm ${command}\n`);
  },
);

it.each([
  ['at all', 'dist', []],
  ['to its end', './dist/main.js', ['index.js', 'index.d.ts']],
])('a package that is not built %s is not packed', (_title, missing, built) => {
  const folder = unbuiltPackage();
  if (built.length > 0) build(folder, built);
  const { output, ...outcome } = run(folder, 'pnpm', 'pack');
  expect(outcome).toEqual({ failed: true, packed: [] });
  expect(output).toContain(`lamp is not built: ${missing} is missing. Run: npx pnpm build`);
});

it('pnpm packs a package that is built', () => {
  const folder = unbuiltPackage();
  build(folder, ['main.js', 'index.js', 'index.d.ts']);
  expect(run(folder, 'pnpm', 'pack')).toMatchObject({ failed: false, packed: ['lamp-1.0.0.tgz'] });
});

it('every package that is published is looked at before it is packed', () => {
  const published = globSync('{packages,apps}/*/package.json', { cwd: ROOT })
    .map((path) => JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Manifest)
    .filter((manifest) => manifest.private !== true);
  expect(published.length).toBeGreaterThan(5);
  const open = published.filter(({ scripts }) => !scripts?.['prepack']?.endsWith('prepack.js'));
  expect(open.map(({ name }) => name)).toEqual([]);
});

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

/** Runs what both package managers run before they pack, as one of them does. */
function prepack(folder: string, packer: 'npm' | 'pnpm', command: string) {
  const { status, stderr } = spawnSync(process.execPath, [PREPACK], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...ENVIRONMENT, npm_config_user_agent: `${packer}/12.4.2`, npm_command: command },
  });
  return { status, stderr };
}

it.each(['pack', 'publish'])(
  'npm %s of a package of the workspace fails with the command to use',
  (command) => {
    const folder = unbuiltPackage();
    build(folder, ['main.js', 'index.js', 'index.d.ts']);
    const stderr = `lamp is packed by pnpm. Run: npx -y pnpm ${command}\n`;
    expect(prepack(folder, 'npm', command)).toEqual({ status: 1, stderr });
  },
);

it.each([
  ['at all', 'dist', []],
  ['to its end', './dist/main.js', ['index.js', 'index.d.ts']],
])('a package that is not built %s is not packed', (_title, missing, built) => {
  const folder = unbuiltPackage();
  if (built.length > 0) build(folder, built);
  const stderr = `lamp is not built: ${missing} is missing. Run: npx -y pnpm build\n`;
  expect(prepack(folder, 'pnpm', 'pack')).toEqual({ status: 1, stderr });
});

it('pnpm packs a package that is built, and no package for which prepack fails', () => {
  const folder = unbuiltPackage();
  const options = { cwd: folder, env: ENVIRONMENT, shell: process.platform === 'win32' };
  expect(spawnSync('pnpm', ['pack'], options).status).not.toBe(0);
  build(folder, ['main.js', 'index.js', 'index.d.ts']);
  expect(spawnSync('pnpm', ['pack'], options).status).toBe(0);
  expect(readdirSync(folder).filter((name) => name.endsWith('.tgz'))).toEqual(['lamp-1.0.0.tgz']);
});

it('every package that is published is looked at before it is packed', () => {
  const published = globSync('{packages,apps}/*/package.json', { cwd: ROOT })
    .map((path) => JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Manifest)
    .filter((manifest) => manifest.private !== true);
  expect(published.length).toBeGreaterThan(5);
  const open = published.filter(({ scripts }) => !scripts?.['prepack']?.endsWith('prepack.js'));
  expect(open.map(({ name }) => name)).toEqual([]);
});

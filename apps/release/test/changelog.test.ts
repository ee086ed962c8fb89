import { globSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, it } from 'vitest';

import { copyRepository, ROOT, run } from './repository.ts';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const ENGINE = 'packages/engine';

const PUBLISHED = globSync('{packages,apps}/*/package.json', { cwd: ROOT })
  .filter((path) => manifestOf(path).private !== true)
  .map((path) => dirname(path).replaceAll('\\', '/'));

it.each(PUBLISHED)('the changelog of %s begins with its version', (folder) => {
  const { name, version } = manifestOf(join(folder, 'package.json'));
  expect(headingsOf(folder).slice(0, 2)).toEqual([`# ${name}`, `## ${version}`]);
});

it('`pnpm version-packages` makes of a changeset the next version, and a line of the changelog', () => {
  const copy = copyRepository();
  const folder = 'packages/paging';
  const { name, version } = manifestOf(join(folder, 'package.json'));
  writeFileSync(join(copy, '.changeset/of-the-test.md'), `---\n'${name}': patch\n---\n\nCounts.\n`);
  run('pnpm', ['install', '--frozen-lockfile', '--prefer-offline'], copy);
  run('pnpm', ['version-packages'], copy);
  const [, next = ''] = headingsOf(folder, copy);
  expect(next).not.toBe(`## ${version}`);
  expect(manifestOf(join(folder, 'package.json'), copy).version).toBe(next.slice('## '.length));
  expect(readFileSync(join(copy, folder, 'CHANGELOG.md'), 'utf8')).toContain('Counts.');
  expect(readdirSync(join(copy, '.changeset'))).toEqual(['config.json']);
});

it('a version of the engine is one of each database too, so that an update finds both', () => {
  const copy = copyRepository();
  const { name } = manifestOf(join(ENGINE, 'package.json'));
  const pending = globSync('.changeset/*.md', { cwd: copy });
  for (const path of pending) rmSync(join(copy, path));
  writeFileSync(join(copy, '.changeset/of-the-test.md'), `---\n'${name}': minor\n---\n\nCounts.\n`);
  run('pnpm', ['install', '--frozen-lockfile', '--prefer-offline'], copy);
  run('pnpm', ['changeset', 'version'], copy);
  const versionIn = (folder: string) => manifestOf(join(folder, 'package.json'), copy).version;
  const databases = PUBLISHED.filter((folder) => {
    return manifestOf(join(folder, 'package.json')).peerDependencies?.[name] !== undefined;
  });
  expect(databases.length).toBeGreaterThanOrEqual(3);
  expect(databases.map(versionIn)).toEqual(databases.map(() => versionIn(ENGINE)));
});

function headingsOf(folder: string, root = ROOT): string[] {
  const text = readFileSync(join(root, folder, 'CHANGELOG.md'), 'utf8');
  return text.split('\n').filter((line) => /^##? /.test(line));
}

function manifestOf(path: string, root = ROOT): Manifest {
  return JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest;
}

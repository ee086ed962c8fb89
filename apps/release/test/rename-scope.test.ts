import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { copyRepository, ROOT, run } from './repository.ts';

const SCRIPT = join('scripts', 'rename-scope.js');

const { name } = JSON.parse(readFileSync(join(ROOT, 'packages/contract/package.json'), 'utf8')) as {
  readonly name: string;
};
const [scope = ''] = name.split('/');

it('one command gives all packages another scope, after which they build, are formatted and pass their tests', () => {
  const copy = copyRepository();
  expect(run('node', [SCRIPT, '@renamed'], copy)).toContain(`${scope} is now @renamed`);
  expect(filesWith(scope, copy)).toEqual([]);
  expect(filesWith('@renamed', copy).length).toBeGreaterThan(300);
  run('oxfmt', ['--check'], copy);
  run('pnpm', ['install', '--frozen-lockfile', '--prefer-offline'], copy);
  run('turbo', ['run', 'build', '--filter=@renamed/contract...'], copy);
  const printed = run('pnpm', ['--filter', '@renamed/contract', 'test'], copy);
  expect(printed).toMatch(/Tests .*\d+ passed/);
});

it('what is no scope of npm is refused, and nothing changes', () => {
  const copy = copyRepository();
  expect(() => run('node', [SCRIPT, 'renamed'], copy)).toThrow('"renamed" is no scope of npm');
  expect(run('git', ['status', '--porcelain'], copy)).toBe('');
});

it('changes that are not committed are left alone, and the command says what to do', () => {
  const copy = copyRepository();
  run('git', ['rm', '--quiet', 'README.md'], copy);
  expect(() => run('node', [SCRIPT, '@renamed'], copy)).toThrow('Commit or drop them');
  expect(run('git', ['status', '--porcelain'], copy)).toBe('D  README.md\n');
});

/** The files of a repository in which a scope occurs. */
function filesWith(word: string, folder: string): string[] {
  try {
    const printed = run(
      'git',
      ['grep', '--files-with-matches', '--extended-regexp', `${word}([^a-z-]|$)`],
      folder,
    );
    return printed.trim().split('\n');
  } catch {
    return [];
  }
}

import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';

import * as contract from '../src/index.ts';

const root = new URL('..', import.meta.url);
const readme = packageFile('README.md');
const blocks = Array.from(
  readme.matchAll(/^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$/gms),
  ([, language, title, text]) => ({
    language,
    title: title ?? '',
    text,
  }),
);

function packageFile(path: string): string {
  return readFileSync(new URL(path, root), 'utf8');
}

describe('the README', () => {
  it('shows every example file as it is, and no code that is none', () => {
    const files = readdirSync(new URL('examples', root)).map((file) => `examples/${file}`);
    const shown = blocks
      .filter(({ language }) => language === 'ts')
      .map(({ title, text }) => [title, text]);
    expect(Object.fromEntries(shown)).toEqual(
      Object.fromEntries(files.map((file) => [file, packageFile(file)])),
    );
  });

  it('shows what its example prints', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['examples/read-request.ts'], {
      cwd: root,
    });
    expect(blocks.find(({ title }) => title === 'output')?.text).toBe(stdout);
  });

  it('names nothing that the package does not export', () => {
    const named = Array.from(readme.matchAll(/^- (`.*?):/gm), ([, cell]) => cell ?? '').join();
    const names = Array.from(named.matchAll(/`(\w+)`/g), ([, name]) => name ?? '');
    expect(names).not.toEqual([]);
    expect(Object.keys(contract)).toEqual(expect.arrayContaining(names));
  });

  it('is short', () => {
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(80);
  });
});

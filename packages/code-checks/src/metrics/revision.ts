import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { isTest, repositoryFiles, ROOT } from '../repository.ts';
import { measure } from './measure.ts';
import type { RevisionMetrics } from './report.ts';

/** The working tree as it is, uncommitted changes included. */
export function measureWorkingTree(): RevisionMetrics {
  return measureFolder('working tree', ROOT);
}

/**
 * A revision of git, formatted as the working tree is, so that lines can be compared.
 *
 * @throws {Error} when git knows no such revision.
 */
export function measureRevision(revision: string): RevisionMetrics {
  const folder = mkdtempSync(join(tmpdir(), 'metrics-'));
  try {
    const archive = join(folder, 'revision.tar');
    execFileSync('git', ['archive', '--output', archive, revision, 'packages', 'apps'], {
      cwd: ROOT,
    });
    execFileSync('tar', ['-xf', archive], { cwd: folder });
    copyFileSync(join(ROOT, '.oxfmtrc.json'), join(folder, '.oxfmtrc.json'));
    execFileSync('oxfmt', ['packages', 'apps'], {
      cwd: folder,
      shell: process.platform === 'win32',
    });
    return measureFolder(revision, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function measureFolder(revision: string, root: string): RevisionMetrics {
  const files = repositoryFiles(root);
  return {
    revision,
    sources: measure(files.filter((file) => !isTest(file))),
    tests: measure(files.filter(isTest)),
  };
}

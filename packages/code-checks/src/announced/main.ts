// `pnpm announced <base>`: fails where the branch changes what a package exports, by its API
// report, without a changeset that names the package.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../repository.ts';
import { unannounced } from './unannounced.ts';

const [base = 'origin/main'] = process.argv.slice(2);
const options = { cwd: ROOT, encoding: 'utf8' } as const;
const paths = execFileSync('git', ['diff', '--name-only', `${base}...HEAD`], options).split('\n');
const changed = paths.map((path) => {
  const file = join(ROOT, path);
  return path !== '' && existsSync(file) ? { path, text: readFileSync(file, 'utf8') } : { path };
});
for (const path of unannounced(changed, '@proj')) {
  console.error(`${path} has changed, and no changeset names its package: run \`pnpm changeset\`.`);
  process.exitCode = 1;
}

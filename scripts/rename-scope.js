// `pnpm rename-scope @new`: gives all packages another scope: in their names, in what imports them,
// in the documentation, the workflows and the lock file. Commit or drop other changes first.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const SCOPE = /^@[a-z0-9~-][a-z0-9._~-]*$/;

/** @type {{ name: string }} */
const { name } = JSON.parse(readFileSync('packages/paging/package.json', 'utf8'));
const [current] = name.split('/');
const [next = ''] = process.argv.slice(2);
if (!SCOPE.test(next)) stop(`"${next}" is no scope of npm. An example: pnpm rename-scope @example`);
if (run('git', ['status', '--porcelain']) !== '')
  stop('There are changes that are not committed. Commit or drop them, and run this again.');

// Not a longer scope that begins alike.
const word = new RegExp(`${current}(?![\\w-])`, 'g');
let files = 0;
for (const path of run('git', ['ls-files', '-z']).split('\0')) {
  if (path === '') continue;
  const text = readFileSync(path, 'utf8');
  const renamed = text.replace(word, next);
  if (renamed === text) continue;
  writeFileSync(path, renamed);
  files += 1;
}
// The links of node_modules, the order of the lock file, and the width of the lines.
run('pnpm', ['install', '--prefer-offline', '--no-frozen-lockfile']);
run('oxfmt', []);
console.log(`${current} is now ${next} in ${files} files. Look at them: git diff`);

/**
 * @param {string} command
 * @param {string[]} args
 */
function run(command, args) {
  return execFileSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  });
}

/** @param {string} line */
function stop(line) {
  console.error(line);
  process.exit(1);
}

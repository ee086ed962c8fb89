// Checks a package as npm would publish it: its contents and how its types resolve.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'packed-'));
try {
  run('pnpm', ['pack', '--pack-destination', folder]);
  const [name] = readdirSync(folder);
  const archive = join(folder, name);
  run('publint', ['run', archive, '--strict']);
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
  if (exports?.['.']?.types) run('attw', [archive, '--profile', 'esm-only']);
} finally {
  rmSync(folder, { recursive: true });
}

/**
 * @param {string} command
 * @param {string[]} args
 */
function run(command, args) {
  try {
    execFileSync(command, args, { stdio: 'pipe', shell: process.platform === 'win32' });
  } catch (error) {
    process.stderr.write(`${[command, ...args].join(' ')}\n${error.stdout}${error.stderr}`);
    process.exitCode = 1;
  }
}

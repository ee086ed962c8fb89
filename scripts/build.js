// `node scripts/build.js [--filter=…]`: builds the packages, and prints only what went wrong.
// Arguments are those of `turbo run build`.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** The Node that the packages need comes with the installation, unless its optional part is left out. */
const { engines } = JSON.parse(readFileSync('package.json', 'utf8'));
const [, needed = ''] = />=([\d.]+)/.exec(engines.node) ?? [];
const { node } = process.versions;

if (node.localeCompare(needed, 'en', { numeric: true }) < 0) {
  process.stderr.write(
    `Dynamic Query needs Node ${needed} or later; this is ${node}. ` +
      'Install a later one, or run: npx -y pnpm install --optional\n',
  );
  process.exitCode = 1;
} else build();

function build() {
  if (!existsSync('packages/paging/dist')) process.stderr.write('Building, once …\n');
  const args = ['run', 'build', '--output-logs=errors-only', ...process.argv.slice(2)];
  const { status, stdout, stderr } = spawnSync('turbo', args, {
    encoding: 'utf8',
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.stderr.write(`${stdout ?? ''}${stderr ?? ''}`);
  process.exitCode = status ?? 1;
}

// `node scripts/build.js [--filter=…]`: builds the packages, and prints only what went wrong.
// Arguments are those of `turbo run build`.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

if (!existsSync('packages/paging/dist')) process.stderr.write('Building, once …\n');
const args = ['run', 'build', '--output-logs=errors-only', ...process.argv.slice(2)];
const { status, stdout, stderr } = spawnSync('turbo', args, {
  encoding: 'utf8',
  env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
  shell: process.platform === 'win32',
});
if (status !== 0) process.stderr.write(`${stdout ?? ''}${stderr ?? ''}`);
process.exitCode = status ?? 1;

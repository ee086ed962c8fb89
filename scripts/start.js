// `pnpm start`: builds what the service needs, quietly, and hands over to it. Arguments are those
// of `dynamic-query`.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

if (!existsSync('apps/demo/dist')) process.stderr.write('Building the service, once …\n');
const build = spawnSync(
  'turbo',
  ['run', 'build', '--filter=@proj/demo...', '--output-logs=errors-only'],
  {
    encoding: 'utf8',
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
    shell: process.platform === 'win32',
  },
);
if (build.status === 0) {
  await import('../apps/demo/dist/start.js');
} else {
  process.stderr.write(`${build.stdout ?? ''}${build.stderr ?? ''}`);
  process.exitCode = 1;
}

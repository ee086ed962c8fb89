import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startProgram, until } from '@proj/test-servers';
import { expect, it, onTestFinished } from 'vitest';

import { ROOT } from '../repository.ts';
import { certificates } from './registry.ts';

it('the two commands of the README begin in a clone where npm may not ask', async () => {
  const root = mkdtempSync(join(tmpdir(), 'clone-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const clone = join(root, 'dynamic-query');
  execFileSync('git', ['-c', 'safe.directory=*', 'clone', '--quiet', ROOT, clone]);
  writeFileSync(join(root, '.npmrc'), 'yes=false\n');
  const command = (line: string) =>
    startProgram('sh', ['-c', `cd ${clone} && exec setsid ${line}`], {
      HOME: root,
      ...certificates(),
    });

  const service = command('npx -y pnpm start --port 0');
  onTestFinished(async () => {
    // What npx has started holds its output open.
    if (service.child.pid !== undefined) process.kill(-service.child.pid, 'SIGKILL');
    await service.ended;
  });
  const started = 'Dynamic Query answers at';
  const hasStopped = (): boolean => service.child.exitCode !== null;
  await until(() => service.output().includes(started) || hasStopped(), 600_000);
  expect(service.output()).toContain(started);

  const { code, stdout } = await command('npx -y pnpm test packages/paging').ended;
  expect([code, stdout]).toEqual([0, expect.stringMatching(/\n\d+ passed, 0 failed\n/)]);
});

import { expect, it, onTestFinished } from 'vitest';

import { Silences } from './shared/silences.ts';
import { forkWorker } from './worker-handle.ts';

const nothing = (): void => undefined;

it('a worker for which there is no process has ended, and ends nothing else', async () => {
  const { execPath } = process;
  onTestFinished(() => {
    process.execPath = execPath;
  });
  process.execPath = '/nowhere/node';
  const silences = new Silences({ info: nothing, warn: nothing, error: nothing }, nothing);
  const worker = forkWorker({
    number: 1,
    handlers: {} as Parameters<typeof forkWorker>[0]['handlers'],
    log: { writeBytes: nothing },
    silences,
  });
  expect(await worker.ended).toMatch(/^exit code -/);
  expect(worker.isRunning()).toBe(false);
});

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { expect, it, onTestFinished } from 'vitest';

import { SIGN_OF_LIFE } from '../src/connection/parent-watch.ts';
import { databaseFile } from './database-file.ts';

const READER = fileURLToPath(new URL('../src/reader-process.ts', import.meta.url));

it('a reader whose signs of life nobody takes ends without a word', async () => {
  const reader = fork(READER, [databaseFile()], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
  });
  onTestFinished(() => void reader.kill('SIGKILL'));
  const exit = once(reader, 'exit');
  reader.stdio[SIGN_OF_LIFE]?.destroy();
  expect(await Promise.all([exit, reader.stderr && text(reader.stderr)])).toEqual([
    [null, 'SIGKILL'],
    '',
  ]);
});

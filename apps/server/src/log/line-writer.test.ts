import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  constants,
  createReadStream,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { LineWriter, type LineWriterOptions } from './line-writer.ts';

function folder(): string {
  const directory = mkdtempSync(join(tmpdir(), 'line-writer-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

/** Opens a file under a number that was just closed; undefined where it is still open. */
function nextFile(path: string, wanted: number): number | undefined {
  const fds = [openSync(path, 'a')];
  // Files get the lowest number that is free, which may be one that something else has closed.
  while ((fds.at(-1) ?? wanted) < wanted) fds.push(openSync(path, 'a'));
  const found = fds.includes(wanted) ? wanted : undefined;
  for (const fd of fds) if (fd !== found) closeSync(fd);
  return found;
}

function writerTo(
  path: string,
  options: Partial<LineWriterOptions> = {},
  flags: string | number = 'a',
) {
  const onFailure = vi.fn<(error: Error) => void>();
  const onRecovery = vi.fn<(dropped: number) => void>();
  const fd = openSync(path, flags);
  const writer = new LineWriter({
    fd: () => fd,
    enoughBytes: 1,
    waitMs: 5,
    maxBytes: 2 ** 20,
    onFailure,
    onRecovery,
    ...options,
  });
  return { writer, fd, onFailure, onRecovery };
}

describe('a writer of lines', () => {
  it('writes lines in their order, whether together or by themselves', async () => {
    const file = join(folder(), 'lines');
    const { writer } = writerTo(file, { enoughBytes: 50 });
    const lines = Array.from({ length: 200 }, (_, index) => `${index} ${'é'.repeat(index % 40)}\n`);
    for (const [index, line] of lines.entries()) {
      writer.write(line);
      if (index % 50 === 0) await setImmediate();
    }
    await writer.close(10_000);
    expect(readFileSync(file, 'utf8')).toBe(lines.join(''));
  });

  it('lets few lines wait for more, also those that came during a write', async () => {
    const file = join(folder(), 'lines');
    const { writer } = writerTo(file, { enoughBytes: 10, waitMs: 60_000 });
    writer.write('ten bytes\n');
    writer.write('late\n');
    await vi.waitUntil(() => readFileSync(file, 'utf8') !== '');
    for (let turns = 0; turns < 10; turns++) await setImmediate();
    expect(readFileSync(file, 'utf8')).toBe('ten bytes\n');
    await writer.close(10_000);
    expect(readFileSync(file, 'utf8')).toBe('ten bytes\nlate\n');
  });

  it('writes what waits at once when the process ends', () => {
    const file = join(folder(), 'lines');
    const { writer, fd } = writerTo(file, { enoughBytes: 1000, waitMs: 60_000 });
    writer.write('last words\n');
    writer.writeNow();
    closeSync(fd);
    expect(readFileSync(file, 'utf8')).toBe('last words\n');
  });
});

describe.skipIf(process.platform !== 'linux')('a writer to a full disk', () => {
  it('reports the failure once, keeps what has room, counts the rest, and ends in time', async () => {
    const { writer, onFailure, onRecovery } = writerTo('/dev/full', { maxBytes: 100 });
    writer.write('ten bytes\n');
    await vi.waitUntil(() => writer.failure !== undefined);
    for (let count = 1; count < 30; count++) writer.write('ten bytes\n');
    expect(onFailure.mock.calls).toMatchObject([[{ code: 'ENOSPC' }]]);
    expect(writer.failure).toMatchObject({ code: 'ENOSPC' });
    expect(writer.dropped).toBe(20);
    writer.writeNow();
    await writer.close(20);
    expect(onRecovery).not.toHaveBeenCalled();
  });

  it('writes what waits to the file that takes its place', async () => {
    const file = join(folder(), 'other');
    const opened = [openSync('/dev/full', 'a')];
    const fd = (): number => opened.at(-1) ?? 0;
    const { writer, onRecovery } = writerTo('/dev/null', { fd });
    writer.write('waits\n');
    await vi.waitUntil(() => writer.failure !== undefined);
    opened.push(openSync(file, 'a'));
    await vi.waitUntil(() => onRecovery.mock.calls.length > 0);
    expect(readFileSync(file, 'utf8')).toBe('waits\n');
    for (const one of opened) closeSync(one);
  });

  it('writes nothing once it is closed, since another file may have its number by then', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { writer, fd } = writerTo('/dev/full', { waitMs: 1 });
    writer.write('stale\n');
    const closing = writer.close(0);
    // The time limit passes before the event loop learns that the write under way has failed.
    vi.advanceTimersByTime(1);
    await closing;
    const file = join(folder(), 'other');
    const next = await vi.waitUntil(() => nextFile(file, fd));
    writer.write('late\n');
    expect(vi.getTimerCount()).toBe(0);
    closeSync(next);
    expect(readFileSync(file, 'utf8')).toBe('');
  });
});

describe.skipIf(process.platform !== 'linux')('a writer to a pipe that nobody reads', () => {
  it('drops what has no room, and goes on when the pipe is read again', async () => {
    const pipe = join(folder(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    const { writer, fd, onFailure, onRecovery } = writerTo(
      pipe,
      { maxBytes: 200_000 },
      constants.O_RDWR | constants.O_NONBLOCK,
    );
    const line = `${'x'.repeat(999)}\n`;
    for (let count = 0; count < 500; count++) writer.write(line);
    expect(onFailure.mock.calls).toMatchObject([
      [{ message: 'More than 200000 bytes wait to be written.' }],
    ]);
    expect(writer.dropped).toBe(300);
    const reader = createReadStream(pipe);
    let read = 0;
    reader.on('data', (chunk) => (read += chunk.length));
    await vi.waitUntil(() => read === 200_000);
    await vi.waitUntil(() => writer.failure === undefined);
    expect(onRecovery.mock.calls).toEqual([[300]]);
    writer.write(line);
    await vi.waitUntil(() => read === 201_000);
    const closed = once(reader, 'close');
    reader.destroy();
    closeSync(fd);
    await closed;
  });
});

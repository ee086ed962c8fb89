import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { eachNth } from '@proj/test-servers';
import { expect, it } from 'vitest';

import { MAIN, start } from './process.ts';
import { cities } from './service/cities.ts';
import { serve } from './service/serve.ts';
import { temporaryFolder } from './temporary-folder.ts';

const EXPORT = [process.execPath, MAIN, 'export', 'cities', '--size', '1', '--concurrency', '1'];

const SIGNALS = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const;

it.each(eachNth(2, SIGNALS))(
  'keeps the part file on %s, exits with %i, and goes on with --resume',
  async (signal, code) => {
    const file = join(await temporaryFolder(), 'cities.ndjson');
    let stop: (() => void) | undefined;
    let queries = 0;
    const model = cities(30);
    const { url } = await serve(model, {
      before: (request) => {
        if (request.method !== 'GET' && ++queries === 10) stop?.();
        return request;
      },
    });
    const { child, ended } = start([...EXPORT, '-o', file], { url });
    stop = () => child.kill(signal);
    const { code: exitCode, stderr } = await ended;
    expect([exitCode, stderr]).toEqual([
      code,
      `dq: interrupted. ${file}.part is kept. Go on with the same command and --resume.\n`,
    ]);
    expect(existsSync(file)).toBe(false);
    expect((await start([...EXPORT, '-o', file, '--resume'], { url }).ended).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(
      model.records.map((record) => `${JSON.stringify(record)}\n`).join(''),
    );
  },
);

it('goes on with an export that was killed soon after its first page', async () => {
  const file = join(await temporaryFolder(), 'cities.ndjson');
  const model = cities(12);
  let queries = 0;
  let kill: (() => void) | undefined;
  const { url } = await serve(model, {
    before: (request) => {
      if (request.method !== 'GET' && ++queries === 10) kill?.();
      return request;
    },
  });
  const { child, ended } = start([...EXPORT, '-o', file], { url });
  kill = () => void child.kill('SIGKILL');
  await ended;
  const { code, stderr } = await start([...EXPORT, '-o', file, '--resume'], { url }).ended;
  expect([code, stderr]).toEqual([0, '']);
  expect(readFileSync(file, 'utf8')).toBe(
    model.records.map((record) => `${JSON.stringify(record)}\n`).join(''),
  );
});

it('lets no second export write to the file of one that still runs', async () => {
  const file = join(await temporaryFolder(), 'cities.ndjson');
  const model = cities(30);
  let queries = 0;
  const { url } = await serve(model, {
    until: async ({ method }) => {
      if (method !== 'GET' && ++queries === 10) await second();
    },
  });
  const first = start([...EXPORT, '-o', file], { url });
  const refused: (string | number | null)[][] = [];
  const chosen = eachNth(3, [['--resume'], ['--restart'], []]);
  const second = async (): Promise<void> => {
    for (const flags of chosen) {
      const { code, stderr } = await start([...EXPORT, '-o', file, ...flags], { url }).ended;
      refused.push([code, stderr]);
    }
  };
  expect(await first.ended).toMatchObject({ code: 0, stderr: '' });
  const complaint =
    `dq: ${file} is being exported by process ${first.child.pid}; wait for it. Where that is no ` +
    `dq, remove ${file}.part.lock.\n`;
  expect(refused).toEqual(chosen.map(() => [2, complaint]));
  expect(readFileSync(file, 'utf8')).toBe(
    model.records.map((record) => `${JSON.stringify(record)}\n`).join(''),
  );
  expect(existsSync(`${file}.part.lock`)).toBe(false);
});

it('ends without a word when the reader of its output leaves', async () => {
  const { url } = await serve(cities(5000));
  const script = '"$0" "$1" export cities | head -n 1 >/dev/null; echo "${PIPESTATUS[0]}"';
  const { stdout, stderr } = await start(['bash', '-c', script, process.execPath, MAIN], { url })
    .ended;
  expect([stdout, stderr]).toEqual(['141\n', '']);
});

/** The head of a reply, and no record. */
async function* headAlone() {
  yield '';
  await new Promise(() => undefined);
}

it('ends when the reader of its output leaves before an export has a record', async () => {
  let leave: (() => void) | undefined;
  const { url } = await serve(cities(1), {
    after: (answered, { path }) =>
      path.endsWith('/export') ? { ...answered, body: headAlone() } : answered,
    until: async ({ path }) => {
      if (path.endsWith('/export')) leave?.();
    },
  });
  const { child, ended } = start([process.execPath, MAIN, 'export', 'cities', '--format', 'json'], {
    url,
  });
  leave = () => child.stdout?.destroy();
  expect(await ended).toMatchObject({ code: 141, stderr: '' });
});

it('writes a pipe whole, however slowly it is read', async () => {
  const { url } = await serve(cities(5000));
  const script = '"$0" "$1" export cities | { read first; dd bs=16 status=none | wc -l; }';
  const { stdout } = await start(['bash', '-c', script, process.execPath, MAIN], { url }).ended;
  expect(Number(stdout)).toBe(4999);
});

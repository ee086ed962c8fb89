import { mkdirSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { Interruption } from '../src/failure.ts';
import { dq } from './dq.ts';
import { start } from './process.ts';
import { problem } from './service/answer.ts';
import { cities, type Model } from './service/cities.ts';
import { serve } from './service/serve.ts';
import { temporaryFolder } from './temporary-folder.ts';

const EXPORT = ['export', 'cities', '--size', '5', '--concurrency', '1'];

/** Does something when a query comes, counted from 1. */
async function serveWith(model: Model, onQuery: (number: number) => void) {
  let queries = 0;
  return serve(model, {
    before: (request) => {
      if (request.method !== 'GET') onQuery(++queries);
      return request;
    },
  });
}

/** An export that was interrupted after some pages. */
async function interrupted(): Promise<{ url: string; file: string }> {
  const file = join(await temporaryFolder(), 'cities.ndjson');
  const controller = new AbortController();
  const { url } = await serveWith(cities(42), (number) => {
    if (number === 4) controller.abort(new Interruption(130));
  });
  await dq([...EXPORT, '-o', file], { url, signal: controller.signal });
  return { url, file };
}

it('says that the part file is kept also where how far it came cannot be written', async () => {
  const file = join(await temporaryFolder(), 'cities.ndjson');
  let queries = 0;
  const { url } = await serve(cities(42), {
    after: (answer, { method }) => {
      if (method === 'GET' || ++queries < 4) return answer;
      // In place of a full disk: there the next state would be written.
      mkdirSync(`${file}.part.json.new`, { recursive: true });
      return problem('internal');
    },
  });
  const { stderr } = await dq([...EXPORT, '-o', file], { url });
  expect(stderr).toMatch(/ \(request id \S+\)\. \S+\.part is kept\. Go on with .* --resume\.\n$/);
  rmdirSync(`${file}.part.json.new`);
  queries = -100;
  expect((await dq([...EXPORT, '-o', file, '--resume'], { url })).exitCode).toBe(0);
  expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(43);
});

it('refuses to continue another export, and names what was asked for then', async () => {
  const { url, file } = await interrupted();
  const { stderr, exitCode } = await dq(
    [...EXPORT, '-o', file, '--resume', '--sort', '-name', '--size', '7'],
    { url },
  );
  expect(exitCode).toBe(2);
  expect(stderr).toContain(
    'the interrupted export has no sort, size 5. Repeat its command with --resume, or begin ' +
      'again with --restart.',
  );
});

it('refuses a part file that is shorter than it was, or whose state is lost', async () => {
  const { url, file } = await interrupted();
  await truncate(`${file}.part`, 10);
  expect((await dq([...EXPORT, '-o', file, '--resume'], { url })).stderr).toContain(
    'is shorter than it was',
  );
  await rm(`${file}.part.json`);
  expect((await dq([...EXPORT, '-o', file, '--resume'], { url })).stderr).toContain(
    'Begin again with --restart.',
  );
});

it('begins where there is nothing to resume, so that one command can be repeated', async () => {
  const file = join(await temporaryFolder(), 'cities.ndjson');
  const { url } = await serve(cities(7));
  const { stderr, exitCode } = await dq([...EXPORT, '-o', file, '--resume'], { url });
  expect([stderr, exitCode]).toEqual([
    'dq: there is no whole page to resume; the export begins anew.\n',
    0,
  ]);
  expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(8);
});

it('begins where an export was killed before it wrote anything', async () => {
  const file = join(await temporaryFolder(), 'cities.ndjson');
  const { url } = await serve(cities(7));
  await writeFile(`${file}.part`, '');
  const { exitCode } = await dq([...EXPORT, '-o', file, '--resume'], { url });
  expect(exitCode).toBe(0);
  expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(8);
});

it('neither overwrites nor continues a part file unless an option asks for it, and proposes --resume only where that says how far it is', async () => {
  const { url, file } = await interrupted();
  const again = async (): Promise<string> => {
    const { stderr, exitCode } = await dq([...EXPORT, '-o', file], { url });
    expect(exitCode).toBe(2);
    return stderr;
  };
  expect(await again()).toContain('Add --resume to go on, or --restart.');
  await rm(`${file}.part.json`);
  expect(await again()).toContain('It cannot go on; add --restart to begin again.');
  expect(readFileSync(`${file}.part`, 'utf8').split('\n')).toHaveLength(16);
  expect((await dq([...EXPORT, '-o', file, '--restart'], { url })).exitCode).toBe(0);
  expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(43);
});

it('keeps no part file of an export that was refused before its first page', async () => {
  const folder = await temporaryFolder();
  const refusing = {
    after: <Kept>(kept: Kept, { method }: { method: string }) =>
      method === 'GET' ? kept : problem('forbidden'),
  };
  const { url } = await serve(cities(7), refusing);
  const flags = ['-o', join(folder, 'cities.csv'), '--resume', '--quiet'];
  const { stderr, exitCode } = await dq([...EXPORT, ...flags], { url });
  expect([exitCode, readdirSync(folder)]).toEqual([1, []]);
  expect(stderr).not.toContain('--resume');
});

it('takes over the lock of a process that is gone, and not of one that runs', async () => {
  const file = join(await temporaryFolder(), 'cities.ndjson');
  const { url } = await serve(cities(7));
  const { child, ended } = start([process.execPath, '-e', ''], { url });
  await ended;
  // The main process of a container always has the same id.
  for (const gone of [child.pid, process.pid]) {
    await writeFile(`${file}.part.lock`, `${gone}\n`);
    expect((await dq([...EXPORT, '-o', file], { url })).exitCode).toBe(0);
  }
  for (const [text, owner] of [
    [`${process.ppid}\n`, `process ${process.ppid}`],
    ['', 'another process'],
  ]) {
    await writeFile(`${file}.part.lock`, text ?? '');
    const { stderr, exitCode } = await dq([...EXPORT, '-o', file], { url });
    expect([exitCode, stderr]).toEqual([
      2,
      `dq: ${file} is being exported by ${owner}; wait for it. Where that is no dq, remove ` +
        `${file}.part.lock.\n`,
    ]);
  }
});

it('cannot pass a truncated output for a whole one', async () => {
  let queries = 0;
  const failing = {
    after: <Kept>(kept: Kept, { method }: { method: string }) =>
      method !== 'GET' && ++queries > 2 ? problem('internal') : kept,
  };
  const { url } = await serve(cities(42), failing);
  const json = await dq([...EXPORT, '--format', 'json'], { url });
  expect(json.exitCode).toBe(1);
  expect(json.stderr).toContain('The output is cut short.');
  expect(() => JSON.parse(json.stdout)).toThrow(SyntaxError);
});

it('warns when the list changes meanwhile, and fails with --strict', async () => {
  for (const [flags, exitCode, message] of [
    [
      [],
      0,
      'dq: warning: the list had 42 records at the start and has 30 now. Records may be ' +
        'missing or repeated; --order key is safe from that.\n',
    ],
    [['--quiet'], 0, ''],
    [['--strict'], 1, 'the list had 42 records at the start and has 30 now'],
  ] as const) {
    const model = cities(42);
    const { url } = await serveWith(model, (number) => {
      if (number === 3) model.records = model.records.slice(12);
    });
    const outcome = await dq([...EXPORT, ...flags], { url });
    expect(outcome.exitCode).toBe(exitCode);
    expect(outcome.stderr === '').toBe(message === '');
    expect(outcome.stderr).toContain(message);
  }
});

it('notices by the version of the data what the total does not show', async () => {
  let version = 0;
  const { url } = await serve(cities(42), {
    after: (answer) => ({
      ...answer,
      headers: { ...answer.headers, 'data-version': `v${version++ < 4 ? 1 : 2}` },
    }),
  });
  const { stderr } = await dq(EXPORT, { url });
  expect(stderr).toContain('dq: warning: the data changed since the start.');
});

it('loses and repeats nothing in key order while others write', async () => {
  const model = cities(42);
  const kept = model.records.slice(20);
  const { url } = await serveWith(model, (number) => {
    if (number === 3) model.records = [...cities(8).records, ...kept];
  });
  const { stdout, exitCode, stderr } = await dq([...EXPORT, '--order', 'key', '-a', 'name,id'], {
    url,
  });
  const ids = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { id } of kept) expect(ids).toContain(id);
  expect([exitCode, stderr]).toEqual([0, '']);
});

it.each([[[]], [['--paged']]])(
  'an export%j to a folder that is not there names the file that was asked for',
  async (flags) => {
    const file = join(await temporaryFolder(), 'none', 'cities.ndjson');
    const { url } = await serve(cities(2));
    const { exitCode, stderr } = await dq(['export', 'cities', '-o', file, ...flags], { url });
    expect(stderr).toContain(`dq: ${file} cannot be written (ENOENT).`);
    expect(stderr).not.toContain('.part');
    expect(exitCode).toBe(1);
  },
);

it('shows how far it is on a terminal, and takes the line away at the end', async () => {
  const file = join(await temporaryFolder(), 'cities.ndjson');
  const { url } = await serve(cities(42));
  const { stderr } = await dq([...EXPORT, '-o', file], { url, columns: 80 });
  expect(stderr.startsWith('\r\u001b[K[')).toBe(true);
  expect(stderr).toMatch(/\[#+ *\] +\d+% \d+ of 42 records/);
  const narrow = await dq([...EXPORT, '-o', file], { url, columns: 40 });
  // oxlint-disable-next-line eslint/no-control-regex -- it clears the line
  const drawn = narrow.stderr.split(/\r\u001b\[K/).slice(1, -1);
  for (const line of drawn) expect(line).toMatch(/^.{1,39}$|^$/);
  expect(drawn[0]).toMatch(/^\[#+ *\] +\d+% \d+ of 42 records$/);
  expect(stderr.endsWith(`\r\u001b[Kwrote 42 records to ${file}\n`)).toBe(true);
  expect((await dq([...EXPORT, '-o', file, '--quiet'], { url, columns: 80 })).stderr).toBe('');
});

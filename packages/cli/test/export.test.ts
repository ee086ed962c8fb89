import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readlink, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { dq } from './dq.ts';
import { problem } from './service/answer.ts';
import { cities } from './service/cities.ts';
import { serve } from './service/serve.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Answers queries until so many of them came. */
function failingAfter(count: number) {
  let queries = 0;
  return {
    after: <Kept>(kept: Kept, { method }: { method: string }) =>
      method !== 'GET' && ++queries > count ? problem('internal') : kept,
  };
}

const EXPORT = ['export', 'cities', '--size', '5', '--concurrency', '3'];

it.each([[[]], [['--order', 'key']]])('writes all records as ndjson with %j', async (more) => {
  const model = cities(42);
  const { url } = await serve(model);
  const { stdout, stderr, exitCode } = await dq([...EXPORT, ...more], { url });
  const lines = stdout.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual(model.records);
  expect(lines[0]).toBe(JSON.stringify(model.records[0]));
  expect([stderr, exitCode]).toEqual(['', 0]);
});

it.each([0, 1, 42])('writes %i records as one JSON array', async (count) => {
  const model = cities(count);
  const { url } = await serve(model);
  const { stdout } = await dq([...EXPORT, '--format', 'json'], { url });
  expect(JSON.parse(stdout)).toEqual(model.records);
});

it('writes CSV by the types of the attributes, with NULL as the option says, and guards against formulas without touching numbers', async () => {
  const model = cities(4);
  model.records = model.records.map((record, index) => ({
    ...record,
    name: [String.raw`\N`, '=1+1', '', 'a\r\nb'][index],
    area: '-1.50',
  }));
  const names = 'name,population,area,capital,tags';
  const flags = ['--format', 'csv', '-a', names, '--csv-null', String.raw`\N`];
  const { url } = await serve(model);
  const { stdout } = await dq([...EXPORT, ...flags, '--csv-guard-formulas'], { url });
  expect(stdout.split('\r\n')).toEqual([
    names,
    String.raw`"\N",0,-1.50,true,"{""rank"":0}"`,
    String.raw`'=1+1,\N,-1.50,false,\N`,
    '"",2000,-1.50,false,"{""rank"":2}"',
    '"a',
    String.raw`b",3000,-1.50,false,\N`,
    '',
  ]);
});

it('lets the file appear whole, and leaves nothing beside it', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'cities.json');
  await writeFile(file, 'the one before');
  const { url } = await serve(cities(42));
  const { exitCode } = await dq([...EXPORT, '--format', 'json', '-o', file], { url });
  expect(exitCode).toBe(0);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toHaveLength(42);
  expect(readdirSync(folder)).toEqual(['cities.json']);
});

it('writes through a symbolic link, and refuses what is not a file', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'real.ndjson'), '');
  await symlink(join(folder, 'real.ndjson'), join(folder, 'link'));
  const { url } = await serve(cities(3));
  expect((await dq([...EXPORT, '-o', join(folder, 'link')], { url })).exitCode).toBe(0);
  expect(readFileSync(join(folder, 'real.ndjson'), 'utf8').split('\n')).toHaveLength(4);
  const { stderr, exitCode } = await dq([...EXPORT, '-o', folder], { url });
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('is not a regular file')]);
});

it.each([[[]], [['--paged']]])(
  'writes through a link to a file that is not there yet, with %j',
  async (more) => {
    const folder = await temporaryFolder();
    await symlink('second', join(folder, 'first'));
    await symlink('real.ndjson', join(folder, 'second'));
    const { url } = await serve(cities(3));
    const args = ['export', 'cities', ...more, '-o', join(folder, 'first')];
    expect((await dq(args, { url })).exitCode).toBe(0);
    expect(await readlink(join(folder, 'first'))).toBe('second');
    expect(readFileSync(join(folder, 'real.ndjson'), 'utf8').split('\n')).toHaveLength(4);
  },
);

it.each([[[]], [['--paged']]])(
  'lets no one read a file who could not read the one that it replaces, with %j',
  async (more) => {
    const file = join(await temporaryFolder(), 'private.ndjson');
    await writeFile(file, 'earlier', { mode: 0o600 });
    const { url } = await serve(cities(3));
    expect((await dq(['export', 'cities', ...more, '-o', file], { url })).exitCode).toBe(0);
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(4);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  },
);

it.each(['csv', 'ndjson', 'json'])(
  'goes on with an interrupted export as %s and gives the file of one that was not',
  async (format) => {
    const folder = await temporaryFolder();
    const whole = join(folder, 'whole');
    const { url: healthy } = await serve(cities(42));
    await dq([...EXPORT, '--format', format, '-o', whole], { url: healthy });
    for (const order of ['page', 'key']) {
      const file = join(folder, order);
      const model = cities(42);
      const failures = [4, 3];
      let after = failingAfter(failures.shift() ?? 0).after;
      const { url } = await serve(model, { after: (answer, request) => after(answer, request) });
      const args = [...EXPORT, '--format', format, '-o', file, '--order', order];
      const first = await dq(args, { url });
      expect(first.exitCode).toBe(1);
      expect(first.stderr).toContain(
        `${file}.part is kept. Go on with the same command and --resume.`,
      );
      expect(existsSync(file)).toBe(false);
      after = failingAfter(failures.shift() ?? 0).after;
      expect((await dq([...args, '--resume'], { url })).exitCode).toBe(1);
      after = (answer) => answer;
      expect(await dq([...args, '--resume'], { url })).toEqual({
        exitCode: 0,
        stdout: '',
        stderr: '',
      });
      expect(readFileSync(file, 'utf8')).toBe(readFileSync(whole, 'utf8'));
    }
    expect(readdirSync(folder).toSorted()).toEqual(['key', 'page', 'whole']);
  },
);

it('drops what was written after the last whole page', async () => {
  const file = join(await temporaryFolder(), 'cities.ndjson');
  const model = cities(42);
  const broken = await serve(model, failingAfter(2));
  await dq([...EXPORT, '-o', file], { url: broken.url });
  const part = readFileSync(`${file}.part`, 'utf8');
  await writeFile(`${file}.part`, `${part}{"id":"half a li`);
  const state = JSON.parse(readFileSync(`${file}.part.json`, 'utf8'));
  const { url } = await serve(model);
  await writeFile(
    `${file}.part.json`,
    JSON.stringify({ ...state, request: { ...state.request, url } }),
  );
  expect((await dq([...EXPORT, '-o', file, '--resume'], { url })).exitCode).toBe(0);
  expect(readFileSync(file, 'utf8')).toBe(
    model.records.map((record) => `${JSON.stringify(record)}\n`).join(''),
  );
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { dq } from './dq.ts';
import { problem } from './service/answer.ts';
import { cities } from './service/cities.ts';
import { serve } from './service/serve.ts';
import type { Behaviour } from './service/service.ts';
import { temporaryFolder } from './temporary-folder.ts';

const EXPORT = ['export', 'cities', '-a', 'id,name'];

const CSV = 'id,name\r\n1,"a\r\nb"\r\n2,\r\n';
const LINES = '{"id":"1","name":"a\\nb"}\n{"id":"2","name":1.50}\n';

/** Answers exports with a text. */
function exporting(body: string, total = '2'): Behaviour {
  return {
    after: (answered, { path, headers }) =>
      path.endsWith('/export')
        ? {
            status: 200,
            headers: { 'content-type': String(headers['accept']), 'export-total': total },
            body,
          }
        : answered,
  };
}

async function run(behaviour: Behaviour, flags: readonly string[], name = 'cities.csv') {
  const folder = await temporaryFolder();
  const { url, queries } = await serve(cities(3), behaviour);
  const file = join(folder, name);
  const outcome = await dq([...EXPORT, ...flags, '-o', file], { url });
  return { ...outcome, folder, file, url, queries, files: readdirSync(folder) };
}

it('writes what the service exports, byte for byte, and asks for nothing else', async () => {
  const flags = ['--csv-null', 'NULL', '--csv-guard-formulas', '--sort', '-name'];
  const { exitCode, stderr, file, files, queries } = await run(exporting(CSV), flags);
  expect([exitCode, stderr, files]).toEqual([0, '', ['cities.csv']]);
  expect(readFileSync(file, 'utf8')).toBe(CSV);
  expect(queries.map((query) => JSON.parse(query) as object)).toEqual([
    {
      query_model: 'cities',
      query_attributes: ['id', 'name'],
      query_sort: [{ attribute: 'name', direction: 'desc' }],
      export_csv: { null: 'NULL', guard_formulas: true },
    },
  ]);
});

it('writes JSON lines, or an array of them in which no digit is lost', async () => {
  const lines = await run(exporting(LINES), [], 'cities.ndjson');
  expect(readFileSync(lines.file, 'utf8')).toBe(LINES);
  const array = await run(exporting(LINES), [], 'cities.json');
  expect(readFileSync(array.file, 'utf8')).toBe(`[\n${LINES.trimEnd().replace('\n', ',\n')}\n]\n`);
  const empty = await run(exporting('', '0'), [], 'cities.json');
  expect(JSON.parse(readFileSync(empty.file, 'utf8'))).toEqual([]);
});

it('leaves nothing behind where the export is not whole', async () => {
  const { exitCode, stderr, files } = await run(exporting(CSV, '3'), []);
  expect([exitCode, files]).toEqual([1, []]);
  expect(stderr).toBe(
    'dq: The export is not whole: 2 of 3 records came. The service, or a proxy before it, cut the ' +
      'export, likely at its time limit (limits.export_timeout_ms; limits.query_timeout_ms for a ' +
      'SQLite file without a write-ahead log), or at a value that Parquet has no place for (NaN in a ' +
      'decimal). The log of the service says which. Nothing is kept. With --paged it is read page by ' +
      'page, and --resume continues after a failure.\n',
  );
});

it('says of a cut export in a pipe that pages can be read instead', async () => {
  const { url } = await serve(cities(3), exporting(LINES, '3'));
  const { exitCode, stdout, stderr } = await dq(EXPORT, { url });
  expect([exitCode, stdout]).toEqual([1, LINES]);
  expect(stderr).toContain(
    'The output is cut short. Read it page by page instead, with --paged; with -o too, --resume ' +
      'can go on with it.\n',
  );
});

it('writes to standard output where the file is called -', async () => {
  const { url } = await serve(cities(3), exporting(CSV));
  const { exitCode, stdout } = await dq([...EXPORT, '-o', '-', '--format', 'csv'], { url });
  expect([exitCode, stdout, existsSync('-')]).toEqual([0, CSV, false]);
});

it('neither overwrites nor continues a part file unless an option asks for it', async () => {
  const folder = await temporaryFolder();
  const { url } = await serve(cities(3), exporting(CSV));
  const file = join(folder, 'cities.csv');
  await writeFile(`${file}.part`, 'old');
  const refused = await dq([...EXPORT, '-o', file], { url });
  expect([refused.exitCode, readdirSync(folder)]).toEqual([2, ['cities.csv.part']]);
  expect((await dq([...EXPORT, '-o', file, '--restart'], { url })).exitCode).toBe(0);
  expect(readdirSync(folder)).toEqual(['cities.csv']);
});

it.each([['--paged'], ['--order', 'key'], ['--size', '2'], ['--total', 'none'], ['--resume']])(
  'reads pages with %s',
  async (...flags) => {
    const { exitCode, file, queries } = await run(exporting(CSV), flags);
    expect(exitCode).toBe(0);
    expect(readFileSync(file, 'utf8').split('\r\n')).toHaveLength(5);
    expect(queries.every((query) => query.includes('"page"'))).toBe(true);
  },
);

it.each(['not_found', 'method_not_allowed', 'not_acceptable', 'http_version_too_old'] as const)(
  'reads pages where a service answers an export with %s',
  async (code) => {
    const refusing: Behaviour = {
      after: (answered, { path }) => (path.endsWith('/export') ? problem(code) : answered),
    };
    const { exitCode, file } = await run(refusing, []);
    expect(exitCode).toBe(0);
    expect(readFileSync(file, 'utf8').split('\r\n')).toHaveLength(5);
  },
);

const PARQUET = 'PAR1footer\u0006\0\0\0PAR1';

it('writes a Parquet file as the service sends it, and nothing where its end is missing', async () => {
  const whole = await run(exporting(PARQUET), [], 'cities.parquet');
  expect([whole.exitCode, whole.stderr, whole.files]).toEqual([0, '', ['cities.parquet']]);
  expect(readFileSync(whole.file, 'utf8')).toBe(PARQUET);
  const cutOff = await run(exporting(PARQUET.slice(0, -4)), [], 'cities.parquet');
  expect([cutOff.exitCode, cutOff.files]).toEqual([1, []]);
  const { url } = await serve(cities(3), exporting(PARQUET.slice(0, -4)));
  const piped = await dq([...EXPORT, '--format', 'parquet'], { url });
  for (const { stderr } of [cutOff, piped])
    expect(stderr).toMatch(
      /Export less at a time, with --filter, or name a file that ends in \.csv or \.ndjson and add --paged\.\n$/,
    );
});

it('leaves Parquet to the service: no pages of it, nothing on a terminal, none from an older one', async () => {
  const paged = await run({}, ['--paged'], 'cities.parquet');
  expect([paged.exitCode, paged.queries]).toEqual([2, []]);
  expect(paged.stderr).toContain('parquet is written by the service, and not page by page.');
  const { url } = await serve(cities(3));
  const shown = await dq([...EXPORT, '--format', 'parquet'], { url, columns: 80 });
  expect(shown.exitCode).toBe(2);
  expect(shown.stderr).toContain('Name a file with -o.');
  const older = await run({}, [], 'cities.parquet');
  expect([older.exitCode, older.files]).toEqual([1, []]);
  expect(older.stderr).toContain('the service does not export parquet.');
});

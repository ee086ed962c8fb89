import { chmod, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

import { expect, it } from 'vitest';

import { dq } from './dq.ts';
import { MAIN, start } from './process.ts';
import { cities, linkedCities } from './service/cities.ts';
import { serve } from './service/serve.ts';
import { temporaryFolder } from './temporary-folder.ts';

async function completed(words: readonly string[], url?: string): Promise<string[]> {
  const { stdout, stderr, exitCode } = await dq(
    ['__complete', '--', ...words],
    url === undefined ? {} : { url },
  );
  expect([stderr, exitCode]).toEqual(['', 0]);
  return stdout.split('\n').slice(0, -1);
}

it.each([
  [['mo'], ['models']],
  [['query', ''], ['cities']],
  [['query', 'ci'], ['cities']],
  [['query', 'x'], []],
  [['query', 'cities', '-a', 'name,po'], ['name,population']],
  [['query', 'cities', '-a', 'name,na'], []],
  [['query', 'cities', '--sort', '-p'], ['-population']],
  [['query', 'cities', '--filter', 'fo'], ['founded']],
  [
    ['export', 'cities', '--format', ''],
    ['csv', 'ndjson', 'json', 'parquet'],
  ],
  [
    ['export', 'cities', '--re'],
    ['--related', '--resume', '--restart'],
  ],
  [['export', 'cities', '-o', ''], []],
  [['watch', 'ci'], ['cities']],
  [['watch', 'cities', '--o'], ['--once']],
  [['watch', 'cities', '--sort', '-p'], ['-population']],
  [['page-of', 'ci'], ['cities']],
  [['page-of', 'cities', ''], ['id=']],
  [['page-of', 'cities', 'id=7', ''], []],
  [['facets', 'ci'], ['cities']],
  [
    ['facets', 'cities', ''],
    ['id', 'name', 'population', 'area', 'founded', 'capital'],
  ],
  [['facets', 'cities', 'name', 'population:bins=9', 'na'], []],
  [['facets', 'cities', 'population:bins=9', 'n'], ['name']],
  [['facets', 'cities', '--sort', 'v'], ['value']],
  [['types', '--int64', 'b'], ['bigint']],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [['nosuch', ''], []],
])('completes %j to %j', async (words, expected) => {
  const { url } = await serve(cities(1));
  expect(await completed(words, url)).toEqual(expected);
});

it.each([
  ['-a', 'parent', ['parent_id', 'parent.']],
  ['-a', 'id,parent.pa', ['id,parent.parent_id', 'id,parent.parent.']],
  ['--sort', '-parent.n', ['-parent.name']],
  ['--filter', 'parent.parent.n', ['parent.parent.name']],
  ['-a', 'parent.parent.parent.pa', ['parent.parent.parent.parent_id']],
  ['-a', 'nope.n', []],
])('completes the path behind %s %s one step at a time', async (flag, typed, expected) => {
  const { url } = await serve(linkedCities());
  expect(await completed(['query', 'cities', flag, typed], url)).toEqual(expected);
});

it('completes the paths of facets', async () => {
  const { url } = await serve(linkedCities());
  expect(await completed(['facets', 'cities', 'parent.na'], url)).toEqual(['parent.name']);
});

it('keeps quiet when the service cannot be asked', async () => {
  expect(await completed(['query', ''])).toEqual([]);
  expect(await completed(['query', ''], 'http://127.0.0.1:9')).toEqual([]);
});

it('offers no name that a shell would run', async () => {
  const model = cities(1);
  const evil = { ...model.entry, name: '$(touch /tmp/owned)' };
  const { url } = await serve(model, {
    after: (answer, { path }) =>
      path.endsWith('/models') ? { ...answer, body: { models: [evil, model.entry] } } : answer,
  });
  expect(await completed(['query', ''], url)).toEqual(['cities']);
});

it('completes in a real bash', async () => {
  const folder = await temporaryFolder();
  const shim = join(folder, 'dq');
  await writeFile(shim, `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`);
  await chmod(shim, 0o755);
  const { url } = await serve(cities(1));
  const script = `
    eval "$(dq completion bash)"
    complete -p dq
    COMP_WORDS=(dq query ci) COMP_CWORD=2; _dq; printf '%s\\n' "\${COMPREPLY[@]}"
    COMP_WORDS=(dq query cities -a name,p --json) COMP_CWORD=4; _dq; printf '%s\\n' "\${COMPREPLY[@]}"
    COMP_WORDS=(dq export cities --csv) COMP_CWORD=3; _dq; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const path = `${folder}${delimiter}${process.env['PATH'] ?? ''}`;
  const { stdout, stderr } = await start(['bash', '--norc', '-c', script], { url, path }).ended;
  expect(stderr).toBe('');
  expect(stdout.trimEnd().split('\n')).toEqual([
    'complete -o default -F _dq dq',
    'cities',
    'name,population',
    '--csv-null',
    '--csv-guard-formulas',
  ]);
});

import { chmod, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { eachNth } from '@proj/test-servers';
import { expect, it } from 'vitest';

import { EXIT } from '../src/failure.ts';
import { MAIN, start } from './process.ts';
import { changing } from './service/changing.ts';
import { cities } from './service/cities.ts';
import { serve } from './service/serve.ts';
import { temporaryFolder } from './temporary-folder.ts';

const README = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8');

/** What a console shows: each command with what it prints. */
const EXAMPLES = [...README.matchAll(/^```console\n(.*?)^```$/gms)].map(([, shown = '']) => shown);

/** What the examples call from outside; `jq` as far as they use it. */
const JQ = `#!${process.execPath}
const chunks = [];
process.stdin.on('data', (chunk) => chunks.push(chunk)).on('end', () => {
  const [value, ...others] = String(Buffer.concat(chunks)).trim().split('\\n').map((line) => JSON.parse(line));
  const filters = {
    '.models[] | [.name, .max_page_size]': () => value.models.map((model) => JSON.stringify([model.name, model.max_page_size])),
    '.page.total': () => [value.page.total],
    '.total': () => [value, ...others].map(({ total }) => total),
  };
  for (const line of filters[process.argv.at(-1)]()) console.log(line);
});
`;

async function folderWithPrograms(): Promise<string> {
  const folder = await temporaryFolder();
  const programs = { dq: `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`, jq: JQ };
  for (const [name, source] of Object.entries(programs)) {
    await writeFile(join(folder, name), source);
    await chmod(join(folder, name), 0o755);
  }
  return folder;
}

it.each(eachNth(2, EXAMPLES))('prints what the README shows: %s', async (shown) => {
  const model = cities(42);
  const grow = (): void => void ({ records: model.records } = cities(45));
  const { url } = await serve(model, { after: changing([grow]) });
  const folder = await folderWithPrograms();
  const commands = [...shown.matchAll(/^\$ (.*)$/gm)].map(([, command = '']) =>
    command.replace('https://data.example.com', url),
  );
  const script = `cd "$0"; ${commands.map((command) => `\n${command}`).join('')}\n`;
  const path = `${folder}${delimiter}${process.env['PATH'] ?? ''}`;
  const { stdout } = await start(['bash', '-c', `exec 2>&1; ${script}`, folder], { url, path })
    .ended;
  // CSV has the line ends of RFC 4180.
  expect(stdout.replaceAll('\r\n', '\n')).toBe(shown.replaceAll(/^\$ .*\n/gm, ''));
});

it('repeats a failed export until it is whole, as the README shows', async () => {
  let queries = 0;
  const { url } = await serve(cities(42), {
    after: (answer, { method }) =>
      method !== 'GET' && ++queries === 1 ? { ...answer, status: 500, body: '' } : answer,
  });
  const [, loop = ''] = /^(until .*)$/m.exec(README) ?? [];
  const folder = await folderWithPrograms();
  const path = `${folder}${delimiter}${process.env['PATH'] ?? ''}`;
  const script = `cd "$0"; ${loop.replace('sleep 10', 'sleep 0')}; wc -l < cities.ndjson`;
  const { stdout } = await start(['bash', '-c', script, folder], { url, path }).ended;
  expect(stdout.trim()).toBe('42');
});

it('stops where the command of the loop is wrong, as the README shows', async () => {
  const { url } = await serve(cities(3));
  const [, loop = ''] = /^(until .*)$/m.exec(README) ?? [];
  const folder = await folderWithPrograms();
  const path = `${folder}${delimiter}${process.env['PATH'] ?? ''}`;
  const wrong = loop.replace('export cities', 'export cities -a nosuch');
  const { stderr } = await start(['bash', '-c', `cd "$0"; ${wrong}`, folder], { url, path }).ended;
  expect(stderr.match(/cities has no attribute "nosuch"/g)).toHaveLength(1);
});

it('has a README that lists every exit code and is short', () => {
  const table = README.slice(README.indexOf('## Exit codes'));
  for (const code of Object.values(EXIT)) expect(table).toMatch(new RegExp(`\\b${code}\\b`));
  expect(README.split('\n').length).toBeLessThanOrEqual(150);
});

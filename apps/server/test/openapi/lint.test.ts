import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { API_PATHS } from '@proj/contract';
import { expect, it, onTestFinished } from 'vitest';

import { present } from '../helper.ts';
import { shell } from '../server-process.ts';
import { DOCUMENT, DOCUMENTS } from './document.ts';

const REDOCLY = fileURLToPath(new URL('../../node_modules/.bin/redocly', import.meta.url));

/** Lints documents by the strict rules, of which each fails and none warns. */
async function lint(documents: Readonly<Record<string, object>>) {
  const directory = mkdtempSync(join(tmpdir(), 'dynamic-query-openapi-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const files = Object.entries(documents).map(([name, document]) => {
    writeFileSync(join(directory, `${name}.json`), JSON.stringify(document));
    return `${name}.json`;
  });
  const { code, stdout, stderr } = await shell(
    `cd '${directory}' && '${REDOCLY}' lint ${files.join(' ')} --extends recommended-strict`,
    { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  );
  return { code, output: stdout + stderr };
}

it('the documents of each version of OpenAPI have no lint error and no warning', async () => {
  const named = DOCUMENTS.map((document) => [`v${document.openapi}`, document] as const);
  const { code, output } = await lint(Object.fromEntries(named));
  expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
});

it('an OpenAPI document has lint errors that has the method QUERY and is of version 3.1, in which that method is wrong, or an example breaks its schema', async () => {
  const path = `/${API_PATHS.query}`;
  const item = present(DOCUMENT.paths[path]);
  const wrong = { ...DOCUMENT.paths, [path]: { ...item, query: { ...item['query'], tags: 1 } } };
  const broken = JSON.stringify(DOCUMENT).replace('"has_next":true', '"has_next":"yes"');
  const { code, output } = await lint({
    old: { ...DOCUMENT, openapi: '3.1.1' },
    wrong: { ...DOCUMENT, paths: wrong },
    broken: JSON.parse(broken) as object,
  });
  expect(code).toBe(1);
  expect(output).toMatch(/ old\.json:.*(\n.*){0,3}`query`/);
  expect(output).toMatch(/ wrong\.json:.*(\n.*){0,3}tags/);
  expect(output).toMatch(/ broken\.json:(.*\n)*.*no-invalid-media-type-examples/);
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { API_PATHS } from '@proj/contract';
import { describe, expect, it, onTestFinished } from 'vitest';

import { present } from '../helper.ts';
import { shell } from '../server-process.ts';
import { DOCUMENT, DOCUMENTS } from './document.ts';

const REDOCLY = fileURLToPath(new URL('../../node_modules/.bin/redocly', import.meta.url));

/** Lints a document by the strict rules, of which each fails and none warns. */
async function lint(document: object) {
  const directory = mkdtempSync(join(tmpdir(), 'dynamic-query-openapi-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  writeFileSync(join(directory, 'openapi.json'), JSON.stringify(document));
  return shell(`cd '${directory}' && '${REDOCLY}' lint openapi.json --extends recommended-strict`, {
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  });
}

describe.each(DOCUMENTS)('the document of OpenAPI $openapi', (document) => {
  it('has no lint error and no warning', async () => {
    const { code, stdout, stderr } = await lint(document);
    expect({ code, output: code === 0 ? '' : stdout + stderr }).toEqual({ code: 0, output: '' });
  });
});

it('the method QUERY has a lint error in OpenAPI 3.1, and is not passed over in 3.2', async () => {
  const old = await lint({ ...DOCUMENT, openapi: '3.1.1' });
  expect(old.code).toBe(1);
  expect(old.stdout + old.stderr).toContain('`query`');
  const path = `/${API_PATHS.query}`;
  const item = present(DOCUMENT.paths[path]);
  const wrong = { ...DOCUMENT.paths, [path]: { ...item, query: { ...item['query'], tags: 1 } } };
  expect((await lint({ ...DOCUMENT, paths: wrong })).code).toBe(1);
});

it('an OpenAPI document with an example that breaks its schema has a lint error', async () => {
  const { examples } = DOCUMENT.components;
  const broken = {
    ...examples,
    internal: { value: { type: '/problems/internal', status: '500' } },
  };
  const { code, stdout, stderr } = await lint({
    ...DOCUMENT,
    components: { ...DOCUMENT.components, examples: broken },
  });
  expect(code).toBe(1);
  expect(stdout + stderr).toContain('no-invalid-media-type-examples');
});

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

import { databaseFile } from '../../sqlite/test/database-file.ts';

const readme = readFileSync(new URL('../../engine/README.md', import.meta.url), 'utf8');
const example = new URL('../../sqlite/examples/first-page.ts', import.meta.url);

const CITIES = `
  create table cities (id integer primary key, name text not null, population int);
  insert into cities (name, population) values ('Aarau', 21506), ('Bern', 134794), ('Chur', 38293);
`;

/** The fenced blocks of the README in one language. */
function blocks(language: string): string[] {
  return [...readme.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, of, text = '']) =>
    of === language ? [text] : [],
  );
}

it('the README shows the example file as it is', () => {
  expect(blocks('ts')).toContain(readFileSync(example, 'utf8'));
});

it('the README shows what the example prints', async () => {
  const program = fileURLToPath(example);
  const { stdout } = await promisify(execFile)(process.execPath, [program, databaseFile(CITIES)]);
  expect(blocks('text')).toContain(stdout);
});

it('the README has at most 120 lines', () => {
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(120);
});

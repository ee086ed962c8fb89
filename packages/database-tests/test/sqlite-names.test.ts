import type { Engine } from '@proj/engine';
import { beforeAll, expect, it } from 'vitest';

import { databaseFile } from '../../sqlite/test/database-file.ts';
import { ask, open } from './open.ts';

const NAMES = [
  'a b',
  'a.b',
  `it's`,
  'say "x"',
  '[x]',
  'select',
  '__proto__',
  'constructor',
  '😀',
  'a\\b',
  '1',
  '%s?',
  `'; drop table t; --`,
];

let engine: Engine;

beforeAll(async () => {
  const quoted = NAMES.map((name) => `"${name.replaceAll('"', '""')}"`);
  const tables = quoted.map(
    (name) => `create table ${name} (${name} text); insert into ${name} values ('x')`,
  );
  engine = await open(`sqlite:${databaseFile(tables.join(';'))}`);
});

it.each(NAMES)('a name such as %j works as a model and as an attribute', async (name) => {
  const { text } = await ask(engine, { model: name, attributes: [name] });
  expect(text).toBe(`[{${JSON.stringify(name)}:"x"}]`);
});

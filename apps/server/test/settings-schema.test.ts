import { readFileSync, writeFileSync } from 'node:fs';

import { expect, it } from 'vitest';
import * as z from 'zod';

import { settingsSchema } from '../src/settings/schema.ts';

const file = new URL('../settings.schema.json', import.meta.url);

it('the JSON Schema for editors is made from the settings; UPDATE_DOCS=1 rewrites it', () => {
  const schema = { title: 'Settings of Dynamic Query', ...z.toJSONSchema(settingsSchema, { io: 'input' }) };
  const made = JSON.parse(JSON.stringify(schema)) as Record<string, unknown>;
  // The environment may give what the file leaves out.
  delete made['required'];
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(file, `${JSON.stringify(made, null, 2)}\n`);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(made);
});

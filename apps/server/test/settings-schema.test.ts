import { readFileSync, writeFileSync } from 'node:fs';

import { expect, it } from 'vitest';
import * as z from 'zod';

import { auditEntrySchema } from '../src/audit/audit-log.ts';
import { settingsJsonSchema } from '../src/settings/json-schema.ts';

it.each([
  ['settings.schema.json', settingsJsonSchema()],
  [
    'audit.schema.json',
    { title: 'A line of the audit of Dynamic Query', ...z.toJSONSchema(auditEntrySchema) },
  ],
])('%s is made from the code; UPDATE_DOCS=1 rewrites it', (name, schema) => {
  const file = new URL(`../${name}`, import.meta.url);
  const made: unknown = JSON.parse(JSON.stringify(schema));
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(file, `${JSON.stringify(made, null, 2)}\n`);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(made);
});

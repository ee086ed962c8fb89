import { readFileSync, writeFileSync } from 'node:fs';

import { isRecord } from '@proj/fastify/settings';
import { expect, it } from 'vitest';
import * as z from 'zod';

import { auditEntrySchema } from '../src/audit/audit-log.ts';
import { PER_DATABASE } from '../src/settings/groups/databases.ts';
import { settingsJsonSchema } from '../src/settings/json-schema.ts';

/** What only the file says: the code decides the rest. */
const SAID = ['title', 'description', 'examples'];

it.each([
  ['settings.schema.json', settingsJsonSchema(), Object.keys(PER_DATABASE)],
  ['audit.schema.json', z.toJSONSchema(auditEntrySchema), []],
])(
  '%s describes what the code takes; UPDATE_DOCS=1 rewrites all but its texts',
  (name, schema, perDatabase) => {
    const file = new URL(`../${name}`, import.meta.url);
    const written: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const made = withTexts(
      JSON.parse(JSON.stringify(schema)),
      ofEachDatabase(written, perDatabase),
    );
    if (process.env['UPDATE_DOCS'] === '1')
      writeFileSync(file, `${JSON.stringify(made, null, 2)}\n`);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(made);
  },
);

/** The texts of a JSON Schema, in one of the same form. */
function withTexts(made: unknown, written: unknown): unknown {
  if (Array.isArray(made))
    return made.map((item, index) => withTexts(item, memberOf(written, index)));
  if (!isRecord(made)) return made;
  const members = Object.entries(made).map(
    ([key, member]) => [key, withTexts(member, memberOf(written, key))] as const,
  );
  const texts = SAID.filter((key) => isText(memberOf(written, key)));
  return Object.fromEntries([
    ...texts.map((key) => [key, memberOf(written, key)] as const),
    ...members,
  ]);
}

/** A property may have the name of a text. */
function isText(value: unknown): boolean {
  return typeof value === 'string' || Array.isArray(value);
}

/** What a setting means is said once, where one database has it. */
function ofEachDatabase(written: unknown, names: readonly string[]): unknown {
  const path = ['properties', 'databases', 'additionalProperties', 'properties'];
  const own = path.reduce(memberOf, written);
  for (const name of names)
    Reflect.set(Object(own), name, memberOf(memberOf(written, 'properties'), name));
  return written;
}

function memberOf(value: unknown, key: string | number): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

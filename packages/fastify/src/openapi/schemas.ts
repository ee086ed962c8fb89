import { WIRE_TYPES } from '@proj/contract';
import * as z from 'zod';

import { REPLIES } from './components/replies.ts';
import { REQUESTS } from './components/requests.ts';
import { filterSchemas } from './filter-schema.ts';
import {
  type Components,
  type Members,
  type Schema,
  schemaRef,
  table,
  type Text,
} from './schema.ts';

const COMPONENTS: Components = { ...REQUESTS, ...REPLIES };

const TYPES = table(
  ['type', 'JSON', 'holds', 'example'],
  Object.entries(WIRE_TYPES).map(([name, { json, note, example }]) => [
    `\`${name}\``,
    json,
    note,
    `\`${example}\``,
  ]),
);

const ELEMENT: Schema = {
  description:
    'One record: each requested attribute, in the order of the request. NULL is `null`. Other ' +
    `values look as the type of their attribute says:\n\n${TYPES}`,
  type: 'object',
  additionalProperties: true,
  examples: [{ name: 'Tokyo', population: '8336599' }],
};

type Found = Partial<z.core.JSONSchema.BaseSchema>;

const registry = z.registry<{ id: string }>();
for (const [id, { of }] of Object.entries(COMPONENTS)) registry.add(of, { id });

/** The contract's schemas by name, with their meanings. */
export function componentSchemas(): Readonly<Record<string, Schema>> {
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    // Records and filters, which the texts describe in full.
    unrepresentable: 'any',
    uri: (name) => String(schemaRef(name)['$ref']),
    // Generators assume that a member with a default is always there.
    override: ({ jsonSchema }) => delete jsonSchema.default,
  });
  const components = Object.entries(COMPONENTS).map(([name, { meaning, members }]) => {
    const { $schema: _dialect, $id: _place, ...schema }: Found = schemas[name] ?? {};
    const properties = withTexts(schema.properties, members);
    return [name, { description: meaning, ...schema, properties }];
  });
  return { ...Object.fromEntries(components), ...filterSchemas(), Element: ELEMENT };
}

function withTexts(properties: Found['properties'], texts: Members): Schema {
  return Object.fromEntries(
    Object.entries(properties ?? {}).map(([name, found]) => [
      name,
      { ...(typeof found === 'object' && found), ...described(texts[name] ?? {}) },
    ]),
  );
}

function described(text: Text): Schema {
  if (typeof text === 'string') return { description: text };
  if (!isList(text)) return text;
  const [description, ...examples] = text;
  return { description, examples };
}

function isList(text: Text): text is Extract<Text, readonly unknown[]> {
  return Array.isArray(text);
}

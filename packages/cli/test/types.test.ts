import { join } from 'node:path';

import { WIRE_TYPES, type ModelEntry } from '@proj/contract';
import { expect, it } from 'vitest';

import { modelsSource } from '../src/types-generator/models-source.ts';
import { compile } from './compile.ts';
import { dq } from './dq.ts';
import { cities, linkedCities } from './service/cities.ts';
import { serve } from './service/serve.ts';

const ROOT = join(import.meta.dirname, '..');

const attribute = (name: string, more: Partial<ModelEntry['attributes'][number]> = {}) => ({
  name,
  type: 'text',
  nullable: false,
  description: null,
  operators: [],
  sortable: true,
  ...more,
});

/** Names and descriptions that try to break out of where they stand, and every wire type. */
const HOSTILE: ModelEntry = {
  ...cities(0).entry,
  name: 'a-b"\n\\',
  description: 'ends */ export const injected = 1; /* here\nsecond line\u2028third',
  deprecated: { since: '2026-01-01', sunset: null, note: 'use */ cities' },
  attributes: [
    attribute('constructor'),
    attribute('with space', { description: '*/' }),
    attribute('größe', { nullable: true }),
    attribute('2026'),
    attribute('`${x}`'),
    ...Object.keys(WIRE_TYPES).map((type) =>
      attribute(`a_${type}`, { type, nullable: type === 'json' }),
    ),
    attribute('numbers', { type: 'array', items: 'int64', nullable: true }),
    attribute('special', { type: 'float64', special_values: ['NaN', 'Infinity', '-Infinity'] }),
    attribute('loose_float', { type: 'float64', special_values: ['NaN'], misfits: 'any' }),
    attribute('loose_boolean', { type: 'boolean', misfits: 'any', nullable: true }),
    attribute('flag', { type: 'boolean', misfits: 'numbers' }),
    attribute('newer', { type: 'a type of next year' }),
  ],
};

it('prints an interface that fits createClient', async () => {
  const { url } = await serve(cities(1));
  const { stdout } = await dq(['types'], { url });
  expect(stdout).toBe(`// Made by "dq types". Make it anew when the models change.

import type { wireTypes } from '@proj/client';

/** With it createClient() warns when the models have changed, and \`dq types --check\` fails. */
export const catalogueTag = "ce574fafd4b5c4ab";

export interface Models {
  /** Places where people live */
  cities: {
    id: string;
    /** As its people write it */
    name: string;
    population: string | null;
    area: string;
    founded: string | null;
    capital: boolean;
    tags: unknown;
    readonly [wireTypes]?: {
      id: "int64";
      name: "text";
      population: "int64";
      area: "decimal";
      founded: "date";
      capital: "boolean";
      tags: "json";
    };
  };
}
`);
  const use = `import { createClient } from '@proj/client';
import { catalogueTag, type Models } from './models.ts';
const client = createClient<Models>({ baseUrl: 'https://data.example.com', token: 't', catalogueTag });
const page = await client.query({ model: 'cities', attributes: ['name', 'population'], page: 1, size: 10 });
export const name: string | undefined = page.records[0]?.name;
export const population: string | null | undefined = page.records[0]?.population;
`;
  const filtered = (filter: string): string =>
    use.replace('page: 1,', `page: 1, filter: ${filter},`);
  const programs = {
    right: use,
    wrong: use.replaceAll("'cities'", "'citys'").replace("'population']", "'no_such']"),
    rightFilter: filtered(`{ attribute: 'founded', op: 'gte', value: '1900-01-01' }`),
    wrongFilter: filtered(`{ attribute: 'population', op: 'contains', value: 'abc' }`),
  };
  const said = await compile({ root: ROOT, models: stdout, programs });
  expect([said('right'), said('rightFilter')]).toEqual(['', '']);
  expect(said('wrong')).toContain('"citys"');
  expect(said('wrongFilter')).toContain('"contains"');
});

it('prints int64 as bigint with `--int64 bigint`, and refuses other types', async () => {
  const { url } = await serve(cities(1));
  expect((await dq(['types', '--int64', 'bigint'], { url })).stdout).toContain(
    'population: bigint | null;',
  );
  expect((await dq(['types', '--int64', 'number'], { url })).exitCode).toBe(2);
});

it('compiles whatever the catalogue calls its models and says of them', async () => {
  const source = modelsSource({ models: [HOSTILE, cities(0).entry], tag: null }, 'string');
  expect(source).toContain('  "a-b\\"\\n\\\\": {');
  expect(source).toContain('    numbers: (string | null)[] | null;');
  const use = `import * as models from './models.ts';
import type { Models } from './models.ts';
type Hostile = Models['a-b"\\n\\\\'];
export const newer: Hostile['newer'] = Symbol();
export const float: Hostile['a_float64'] = 0.5;
export const special: Hostile['special'] = 'NaN';
export const looseFloats: Hostile['loose_float'][] = [0.5, 'a word'];
export const looseBooleans: Hostile['loose_boolean'][] = [true, 'yes', null];
export const flags: Hostile['flag'][] = [true, '2'];
// @ts-expect-error -- the catalogue says that no other texts are among them
export const text: Hostile['flag'] = 'yes';
export const any: Hostile['a_any'][] = [1, '1', { number: '9223372036854775807' }, { bytes: '' }];
// @ts-expect-error -- SQLite has no truth values of its own
export const truth: Hostile['a_any'] = true;
// @ts-expect-error -- the catalogue names no word among them
export const word: Hostile['a_float64'] = 'NaN';
export const injected: typeof models extends { injected: unknown } ? 1 : 2 = 2;
`;
  const said = await compile({ root: ROOT, models: source, programs: { use } });
  expect(said('use')).toBe('');
});

/** A use of the types that reads the attribute at the end of a path. */
const useOf = (path: string): string => `import { createClient } from '@proj/client';
import type { Models } from './models.ts';
const client = createClient<Models>({ baseUrl: 'https://data.example.com', token: 't' });
const filter = { related: 'parts', some: { attribute: 'parent.name', op: 'eq', value: 'x' } } as const;
const page = await client.query({ model: 'cities', attributes: ['${path}'], filter, page: 1, size: 10 });
export const name: string | null | undefined = page.records[0]?.['${path}'];
`;

it('prints the relations and inverses of the models, by which paths are checked', async () => {
  const { url } = await serve(linkedCities());
  const { stdout } = await dq(['types'], { url });
  expect(stdout).toContain("import type { inverses, relations, wireTypes } from '@proj/client';");
  expect(stdout).toContain(
    '    readonly [relations]?: {\n      parent: "cities" | null;\n    };\n' +
      '    readonly [inverses]?: {\n      parts: "cities";\n    };\n',
  );
  const programs = { right: useOf('parent.parent.name'), wrong: useOf('parent.parent.nope') };
  const said = await compile({ root: ROOT, models: stdout, programs });
  expect(said('right')).toBe('');
  expect(said('wrong')).toContain('error');
});

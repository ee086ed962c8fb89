import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { installedManifest } from '../src/fingerprint.ts';
import { DATA_SOURCES } from '../src/sources.ts';
import { builtDatabase, modelsOf } from './built-database.ts';

interface Model {
  readonly description: string;
  readonly key?: readonly string[];
}

const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
const settings = parse(read('demo.yaml')) as {
  readonly expose: string;
  readonly models: Record<string, Model>;
};
const select = builtDatabase();
const readme = read('README.md');

describe('demo.yaml', () => {
  it('describes every table and view, and none that does not exist', () => {
    expect(Object.keys(settings.models).toSorted()).toEqual(modelsOf(select, 'table', 'view'));
  });

  it('ends each description with source and licence of its data, and of no other', () => {
    const found = Object.entries(settings.models).map(([name, { description }]) => {
      const [text, ...credits] = description.split(/ (?=Source: )/);
      return { name, described: text !== '', credits };
    });
    const expected = Object.keys(settings.models).map((name) => {
      const credits = DATA_SOURCES.filter((source) => source.models.includes(name)).map(
        (source) => source.credit,
      );
      return { name, described: true, credits };
    });
    expect(found).toEqual(expected);
  });

  it('declares a key for each view and for nothing else', () => {
    const keyed = Object.entries(settings.models).filter(([, model]) => model.key !== undefined);
    expect(keyed.map(([name]) => name)).toEqual(modelsOf(select, 'view'));
  });
});

describe('the table of data sources', () => {
  it('covers every model with a source', () => {
    const covered = new Set(DATA_SOURCES.flatMap((source) => source.models));
    expect([...covered].toSorted()).toEqual(modelsOf(select, 'table', 'view'));
  });

  it('names the packages that are installed, in the versions that package.json asks for', () => {
    const { dependencies } = JSON.parse(read('package.json')) as {
      readonly dependencies: Record<string, string>;
    };
    const found = DATA_SOURCES.map(({ package: name }) => ({
      name,
      version: dependencies[name],
      licence: installedManifest(name).license,
    }));
    expect(found).toEqual(
      DATA_SOURCES.map(({ package: name, version, licence }) => ({ name, version, licence })),
    );
  });
});

describe('README.md', () => {
  it('carries the attribution of every source', () => {
    for (const { attribution } of DATA_SOURCES)
      expect(readme.replaceAll(/\s+/g, ' ')).toContain(attribution);
  });

  it('gives the numbers of rows as they are', () => {
    for (const model of modelsOf(select, 'table', 'view')) {
      const rows = Number(select(`select count(*) as n from ${model}`)[0]?.['n']).toLocaleString(
        'en',
      );
      expect(readme).toMatch(new RegExp(`\\| \`${model}\` +\\| ${rows} +\\|`));
    }
  });
});

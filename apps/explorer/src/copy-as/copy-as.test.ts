import { execFileSync } from 'node:child_process';
import { runInNewContext } from 'node:vm';

import { requestBody } from '@proj/contract';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { attributeOf, CITIES } from '../state/cities-model.test-data.ts';
import type { ViewQuery } from '../state/view/view-query.ts';
import { asCurl } from './curl.ts';
import { asDq } from './dq.ts';
import { shellQuote } from './shell-quote.ts';
import { asTypeScript } from './typescript.ts';

const query: ViewQuery = {
  model: 'cities',
  attributes: ['name', 'population'],
  page: 3,
  size: 20,
  filter: { attribute: 'population', op: 'gte', value: '1000000' },
  sort: [{ attribute: 'population', direction: 'desc' }],
};
const groups = {
  ...query,
  attributes: ['country.name', 'founded.month', 'count', 'sum_population'],
  sort: [{ attribute: 'sum_population', direction: 'desc', nulls: 'last' }],
  groups: {
    by: ['country.name', { attribute: 'founded', by: 'month' }],
    aggregates: {
      count: { op: 'count' },
      sum_population: { op: 'sum', attribute: 'population' },
      distinct_name: { op: 'count_distinct', attribute: 'name' },
    },
  },
} satisfies ViewQuery;
const having = { attribute: 'sum_population', op: 'gt', value: '1000' } as const;
const TOWNS_OF_CITIES = {
  attributes: ['name'],
  model: 'cities',
  key: ['id'],
  inverse: 'towns',
};
const BASE = 'https://data.example.com/prefix/';

describe('the shell command', () => {
  it('hands any text over as it is', () => {
    const text = fc
      .string({ unit: 'binary' })
      .filter((candidate) => candidate.isWellFormed() && !candidate.includes('\0'));
    fc.assert(
      fc.property(text, (word) => {
        expect(
          execFileSync('sh', ['-c', `printf %s ${shellQuote(word)}`], { encoding: 'utf8' }),
        ).toBe(word);
      }),
      { numRuns: 60 },
    );
  });

  it('of curl sends the request of the view, with the token from the environment', () => {
    const filter = { attribute: 'name', op: 'eq', value: "L'Île $HOME `x`" } as const;
    const command = asCurl({ ...query, filter }, BASE).replace('curl -sS', 'printf "%s\\n"');
    const env = { PATH: process.env['PATH'], DYNAMIC_QUERY_TOKEN: 'the-token' };
    const words = execFileSync('sh', ['-c', command], { encoding: 'utf8', env }).split('\n');
    expect(words.slice(0, 3)).toEqual([
      `${BASE}api/v1/dynamic/query`,
      '-H',
      'Authorization: Bearer the-token',
    ]);
    expect(JSON.parse(words[6] ?? '')).toEqual(requestBody({ ...query, filter }));
  });
});

describe('the TypeScript', () => {
  it('asks for the page of the view', () => {
    expect(asTypeScript(query, BASE)).toContain(`const page = await client.query({
  model: 'cities',
  attributes: ['name', 'population'],
  page: 3,
  size: 20,
  filter: { attribute: 'population', op: 'gte', value: '1000000' },
  sort: [{ attribute: 'population', direction: 'desc' }],
});`);
  });

  it('asks for the groups of the view', () => {
    expect(asTypeScript(groups, BASE)).toContain(`const page = await client.groups({
  model: 'cities',
  by: ['country.name', { attribute: 'founded', by: 'month' }],
  aggregates: { count: { op: 'count' }, sum_population: { op: 'sum', attribute: 'population' }, distinct_name: { op: 'count_distinct', attribute: 'name' } },
  size: 20,
  filter: { attribute: 'population', op: 'gte', value: '1000000' },
  sort: [{ attribute: 'sum_population', direction: 'desc', nulls: 'last' }],
}).page(3);`);
  });

  it('writes every name as itself, also one that would set a prototype', () => {
    const count = { related: 'towns', op: 'count' } as const;
    const related = Object.fromEntries(['__proto__', 'é', 'big'].map((name) => [name, count]));
    const [, literal = ''] =
      /\n {2}related: (.*),\n/.exec(asTypeScript({ ...query, related }, BASE)) ?? [];
    const names: unknown = runInNewContext(`Object.keys(${literal}).join()`);
    expect(names).toBe('__proto__,é,big');
  });

  it('writes every text as itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (model) => {
        const [, literal = ''] =
          /\n {2}model: (.*),\n {2}attributes/su.exec(asTypeScript({ ...query, model }, BASE)) ??
          [];
        const value: unknown = runInNewContext(literal);
        expect(value).toBe(model);
      }),
    );
  });
});

describe('the dq command', () => {
  it('names model, attributes, filter, order and page', () => {
    expect(asDq(query, CITIES)).toBe(
      "dq query cities -a name,population --filter 'population >= 1000000' --sort " +
        '-population --page 3 --size 20',
    );
  });

  it('names what is grouped by, and what is computed', () => {
    expect(asDq(groups, CITIES)).toBe(
      'dq groups cities --by country.name,founded:month --count --sum population ' +
        "--count-distinct name --filter 'population >= 1000000' " +
        '--sort -sum_population:nulls-last --page 3 --size 20',
    );
  });

  it('names the time zone of local days', () => {
    const by = [{ attribute: 'founded', by: 'day', time_zone: 'Europe/Paris' }] as const;
    expect(asDq({ ...groups, groups: { ...groups.groups, by } }, CITIES)).toContain(
      '--by founded:day@Europe/Paris ',
    );
  });

  it('compares members of groups as what they are', () => {
    const kept = { ...groups, groups: { ...groups.groups, filter: having } };
    expect(asDq(kept, CITIES)).toContain("--having 'sum_population > 1000' --filter");
  });

  it('names what is counted of related records, with a filter by their types', () => {
    const related = { big: { related: 'towns', op: 'count', filter: query.filter } } as const;
    const attributes = [attributeOf('population', 'text')];
    const towns = { ...CITIES, name: 'towns', attributes, references: [TOWNS_OF_CITIES] };
    expect(asDq({ ...query, related }, { ...CITIES, others: [towns] })).toContain(
      `--related ${shellQuote("big = count towns where population >= '1000000'")}`,
    );
  });

  it('has names in backticks that a list of names would be read apart at', () => {
    const attributes = ['a,b', 'name', '-n', 'back`tick', 'unit price', 'country.local name'];
    const sort = [{ attribute: '-n', direction: 'asc' }] as const;
    expect(asDq({ ...query, attributes, sort }, CITIES)).toContain(
      `-a ${shellQuote('`a,b`,name,`-n`,`back``tick`,`unit price`,`country.local name`')} `,
    );
    expect(asDq({ ...query, sort }, CITIES)).toContain("--sort '`-n`' ");
    const aggregates = { sum: { op: 'sum', attribute: 'net, EUR' } } as const;
    const by = ['n:values', { attribute: 'on,day', by: 'month' }] as const;
    expect(asDq({ ...groups, groups: { by, aggregates } }, CITIES)).toContain(
      "--by '`n:values`,`on,day`:month' --sum '`net, EUR`' ",
    );
  });

  it('says where NULL goes', () => {
    const sort = [{ attribute: 'population', direction: 'desc', nulls: 'last' }] as const;
    expect(asDq({ ...query, sort }, CITIES)).toContain('--sort -population:nulls-last');
  });
});

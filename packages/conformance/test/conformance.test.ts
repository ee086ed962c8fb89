import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { startConformance } from '../src/conformance.ts';
import { SECTIONS } from '../src/sections.ts';
import { RULES } from '../src/rules.ts';
import type { RuleResult } from '../src/run-rules.ts';
import { problem } from '../../cli/test/service/answer.ts';
import { cities } from '../../cli/test/service/cities.ts';
import { serve } from '../../cli/test/service/serve.ts';
import { type Behaviour, TOKEN } from '../../cli/test/service/service.ts';
import { serveWhole } from './service/serve-whole.ts';
import { instead, refusal } from './tampering.ts';
import { WRONG_SERVERS } from './wrong-servers.ts';
import type { Variant } from './wrong-servers/variant.ts';

async function results(behaviour: Behaviour): Promise<RuleResult[]> {
  const { url } = await serveWhole(42, behaviour);
  return resultsOf(url);
}

async function resultsOf(url: string): Promise<RuleResult[]> {
  const run = await startConformance({
    url,
    token: TOKEN,
    hiddenModel: 'salaries',
    hiddenAttribute: 'mayor',
  });
  const found: RuleResult[] = [];
  for await (const result of run.results) found.push(result);
  return found;
}

it('finds that a correct server keeps every rule, and tries all of them', async () => {
  const found = await results({});
  expect(found.filter(({ outcome }) => outcome !== 'holds')).toEqual([]);
  expect(found.map(({ id }) => id)).toEqual(RULES.map(({ id }) => id));
});

it('finds that a server keeps every rule whose replicas answer too', async () => {
  const position = '0/16B3748@1.mK3xQ0bT';
  const found = await results({
    after: (answer, { headers, path }) => {
      const wanted = String(headers['data-at-least'] ?? position).split(', ');
      if (!path.endsWith('/query') || answer.status !== 200) return answer;
      if (wanted.some((one) => one !== position)) return problem('invalid_position');
      const state = { 'data-age': '0', 'data-position': position };
      return { ...answer, headers: { ...answer.headers, ...state } };
    },
  });
  expect(found.filter(({ outcome }) => outcome !== 'holds')).toEqual([]);
});

it('does not try the rules of relations and groups on a server that has neither', async () => {
  const grouping = instead(
    ({ body }) => body.includes('"query_groups"'),
    refusal('unknown_member'),
  );
  const { url } = await serve(cities(42), { after: grouping });
  const found = (await resultsOf(url)).filter(({ outcome }) => outcome !== 'holds');
  const parts = new Set(['relations', 'groups']);
  const rules = RULES.filter(({ section }) => parts.has(section));
  expect(found.map(({ id, outcome }) => [id, outcome])).toEqual(
    rules.map(({ id }) => [id, 'not_tried']),
  );
});

it.each(Object.entries<Variant>(WRONG_SERVERS))(
  'finds exactly what is wrong with a server that %s',
  async (_name, variant) => {
    const found = await results(variant.behaviour);
    const failed = found.filter(({ outcome }) => outcome === 'fails');
    expect(failed.map(({ id }) => id).toSorted()).toEqual(variant.breaks.toSorted());
    for (const { detail } of failed) expect(detail).not.toBe('');
  },
);

it('has a wrong server for every rule', () => {
  const broken = new Set(Object.values<Variant>(WRONG_SERVERS).flatMap(({ breaks }) => breaks));
  expect(RULES.map(({ id }) => id).filter((id) => !broken.has(id))).toEqual([]);
});

it('names each rule once', () => {
  const ids = RULES.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

it('links every rule to a section that docs/contract.md has', () => {
  const page = readFileSync(new URL('../../../docs/contract.md', import.meta.url), 'utf8');
  const anchors = Array.from(page.matchAll(/^## (.*)$/gm), ([, title = '']) =>
    title.toLowerCase().replaceAll(' ', '-'),
  );
  expect(anchors).toEqual(expect.arrayContaining([...SECTIONS]));
});

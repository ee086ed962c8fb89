import { readFileSync } from 'node:fs';

import { beforeRelease, SEED } from '@proj/test-servers';
import { expect, it } from 'vitest';

import { problem } from '../../cli/test/service/answer.ts';
import { cities } from '../../cli/test/service/cities.ts';
import { TOKEN } from '../../cli/test/service/service.ts';
import type { Rule } from '../src/rule.ts';
import { RULES } from '../src/rules.ts';
import { type RuleResult, runRules } from '../src/run-rules.ts';
import { SECTIONS } from '../src/sections.ts';
import { select } from '../src/subject/select.ts';
import { createSend } from '../src/subject/send.ts';
import { Subject } from '../src/subject/subject.ts';
import { fetchFrom } from './service/fetch-from.ts';
import { fetchWhole } from './service/serve-whole.ts';
import { instead, refusal } from './tampering.ts';
import { WRONG_SERVERS } from './wrong-servers.ts';
import type { Variant } from './wrong-servers/variant.ts';

const URL_IN_PROCESS = 'http://service.test';

/** What is found out about a service in this process. */
async function results(
  service: typeof fetch,
  rules: readonly Rule[] = RULES,
): Promise<RuleResult[]> {
  const { signal } = new AbortController();
  const send = createSend({ url: URL_IN_PROCESS, token: TOKEN, signal, fetch: service });
  const hidden = { hiddenModel: 'salaries', hiddenAttribute: 'mayor' };
  const subject = new Subject(send, await select(send, hidden));
  const found: RuleResult[] = [];
  for await (const result of runRules(rules, subject)) found.push(result);
  return found;
}

it('finds that a correct server keeps every rule, and tries all of them', async () => {
  const found = await results(fetchWhole(42));
  expect(found.filter(({ outcome }) => outcome !== 'holds')).toEqual([]);
  expect(found.map(({ id }) => id)).toEqual(RULES.map(({ id }) => id));
});

it('finds that a server keeps every rule whose replicas answer too', async () => {
  const position = '0/16B3748@1.mK3xQ0bT';
  const service = fetchWhole(42, {
    after: (answer, { headers, path }) => {
      const wanted = String(headers['data-at-least'] ?? position).split(', ');
      if (!path.endsWith('/query') || answer.status !== 200) return answer;
      if (wanted.some((one) => one !== position)) return problem('invalid_position');
      const state = { 'data-age': '0', 'data-position': position };
      return { ...answer, headers: { ...answer.headers, ...state } };
    },
  });
  const found = await results(service);
  expect(found.filter(({ outcome }) => outcome !== 'holds')).toEqual([]);
});

it('does not try the rules of relations and groups on a server that has neither', async () => {
  const grouping = instead(
    ({ body }) => body.includes('"query_groups"'),
    refusal('unknown_member'),
  );
  const found = await results(fetchFrom(cities(42), { after: grouping }));
  const untried = found.filter(({ outcome }) => outcome !== 'holds');
  const parts = new Set(['relations', 'related-counts', 'groups']);
  const rules = RULES.filter(({ section }) => parts.has(section));
  expect(untried.map(({ id, outcome }) => [id, outcome])).toEqual(
    rules.map(({ id }) => [id, 'not_tried']),
  );
});

/**
 * The rules that a wrong server is tried with: those that it breaks, and one of eight others, which
 * change with the commit. Before a release all.
 */
function rulesFor({ breaks }: Variant, index: number): readonly Rule[] {
  if (beforeRelease) return RULES;
  return RULES.filter(({ id }, place) => breaks.includes(id) || (place + index + SEED) % 8 === 0);
}

it.each(Object.entries<Variant>(WRONG_SERVERS).map((entry, index) => [...entry, index] as const))(
  'finds exactly what is wrong with a server that %s',
  async (_name, variant, index) => {
    const found = await results(fetchWhole(42, variant.behaviour), rulesFor(variant, index));
    const failed = found.filter(({ outcome }) => outcome === 'fails');
    const ids = failed.map(({ id }) => id).filter((id) => !variant.mayBreak?.includes(id));
    expect(ids.toSorted()).toEqual(variant.breaks.toSorted());
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

it('links every rule to a section that docs/reference/contract.md has', () => {
  const page = readFileSync(
    new URL('../../../docs/reference/contract.md', import.meta.url),
    'utf8',
  );
  const anchors = Array.from(page.matchAll(/^## (.*)$/gm), ([, title = '']) =>
    title.toLowerCase().replaceAll(' ', '-'),
  );
  expect(anchors).toEqual(expect.arrayContaining([...SECTIONS]));
});

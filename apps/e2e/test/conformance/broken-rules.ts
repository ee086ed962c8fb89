import { startConformance } from '@proj/conformance';
import { expect } from 'vitest';

import { TOKEN } from '../support/service.ts';

type Options = Omit<Parameters<typeof startConformance>[0], 'url' | 'token'>;

/** Checks a service against the contract, and returns the rules that do not hold. */
export async function brokenRules(url: string, options: Options) {
  const { results } = await startConformance({ url, token: TOKEN, ...options });
  const rules = [];
  for await (const result of results) rules.push(result);
  expect(rules.length).toBeGreaterThan(60);
  return rules.filter(({ outcome }) => outcome !== 'holds');
}

import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/**
 * The findings of axe, of any severity, with those of rules that are off unless asked for.
 *
 * @param parts selectors of what to look at, where the rest of the page has been looked at before
 */
export async function findings(page: Page, parts: readonly string[] = []): Promise<string[]> {
  const rules = { 'target-size': { enabled: true } };
  const axe = new AxeBuilder({ page })
    .options({ rules, resultTypes: ['violations'] })
    // The explorer has no frames: axe needs no second page to gather what it found in them.
    .setLegacyMode();
  for (const part of parts) axe.include(part);
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

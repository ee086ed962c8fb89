import { AxeBuilder } from '@axe-core/playwright';
import { beforeRelease } from '@proj/test-servers';
import type { Browser, Page } from 'playwright-core';
import { inject } from 'vitest';

import { LARGE_CITIES, openSignedIn, type PageOptions, seeRange } from './open-explorer.ts';

/** How the explorer is looked at: every page of it in these colours and widths. */
export const LOOKS = beforeRelease
  ? [1280, 768, 360].flatMap((width) => [
      { colorScheme: 'light' as const, width },
      { colorScheme: 'dark' as const, width },
    ])
  : [{ colorScheme: 'dark' as const, width: 1280 }];

/** Opens a table of a few records, on which axe takes its time by the cell. */
export async function openView(browser: Browser, options: PageOptions): Promise<Page> {
  const url = `${inject('demo')}/?${LARGE_CITIES}&size=5`;
  const { page } = await openSignedIn(browser, url, options);
  await seeRange(page, 'records 1–5');
  return page;
}

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

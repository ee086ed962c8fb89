import { type Browser, chromium } from 'playwright-core';
import { inject } from 'vitest';

import { describeOpened } from './describe-opened.ts';

/** Tests in a real browser, as {@link describeOpened} runs them. */
export function describeInBrowser(title: string, tests: (browser: () => Browser) => void): void {
  const address = inject('browser');
  const chromiumOfAll = {
    name: 'Chromium',
    variable: 'CHROMIUM',
    isThere: address !== '',
    // All files share one; closing this connection closes what its tests opened.
    open: () => chromium.connect(address),
    close: (browser: Browser) => browser.close(),
  };
  describeOpened(title, chromiumOfAll, tests);
}

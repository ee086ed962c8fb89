import { type Browser, chromium } from 'playwright-core';

import { BROWSER } from './chromium.ts';
import { describeOpened } from './describe-opened.ts';

let browserOfWorker: Promise<Browser> | undefined;

const chromiumOfWorker = {
  name: 'Chromium',
  variable: 'CHROMIUM',
  isThere: BROWSER.executablePath !== undefined,
  /** It ends with the worker, whose files use it one after the other. */
  open: async (): Promise<Browser> => {
    browserOfWorker ??= chromium.launch(BROWSER);
    return browserOfWorker;
  },
  close: async (): Promise<void> => {},
};

/** Tests in a real browser, as {@link describeOpened} runs them. */
export function describeInBrowser(title: string, tests: (browser: () => Browser) => void): void {
  describeOpened(title, chromiumOfWorker, tests);
}

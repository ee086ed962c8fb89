import { existsSync } from 'node:fs';

import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe } from 'vitest';

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** The browser of this machine: what CHROMIUM names, else one of the usual places. */
export const CHROMIUM = [process.env['CHROMIUM'], ...PLACES].find(
  (place) => place !== undefined && existsSync(place),
);

/** Starts the browser. A sandbox in a container would need rights that tests do not have. */
export async function startBrowser(): Promise<Browser> {
  if (CHROMIUM === undefined)
    throw new Error('No Chromium was found. Install one, or name it in CHROMIUM.');
  return chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
}

/** Tests in a real browser. Without one they are left out aloud; where CI is set they fail. */
export function describeInBrowser(title: string, tests: (browser: () => Browser) => void): void {
  const isLeftOut = CHROMIUM === undefined && !process.env['CI'];
  if (isLeftOut)
    process.stderr.write(
      `LEFT OUT: ${title}: no Chromium was found. Install one, or name it in CHROMIUM.\n`,
    );
  // oxlint-disable-next-line vitest/valid-title -- it is a string: the rule does not see types
  describe.skipIf(isLeftOut)(title, () => {
    let browser: Browser | undefined;
    beforeAll(async () => {
      browser = await startBrowser();
    });
    afterAll(async () => browser?.close());
    tests(() => {
      if (browser === undefined)
        throw new Error('The browser is not there yet: ask for it within a test.');
      return browser;
    });
  });
}

import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, inject } from 'vitest';

/** Tests in a real browser. Without one they are left out aloud; where CI is set they fail. */
export function describeInBrowser(title: string, tests: (browser: () => Browser) => void): void {
  const address = inject('browser');
  const isLeftOut = address === '' && !process.env['CI'];
  if (isLeftOut)
    process.stderr.write(
      `LEFT OUT: ${title}: no Chromium was found. Install one, or name it in CHROMIUM.\n`,
    );
  // oxlint-disable-next-line vitest/valid-title -- it is a string: the rule does not see types
  describe.skipIf(isLeftOut)(title, () => {
    let browser: Browser | undefined;
    beforeAll(async () => {
      browser = await connect(address);
    });
    afterAll(async () => browser?.close());
    tests(() => {
      if (browser === undefined)
        throw new Error('The browser is not there yet: ask for it within a test.');
      return browser;
    });
  });
}

/** The browser that all files share; closing this connection closes what its tests opened. */
async function connect(address: string): Promise<Browser> {
  if (address === '')
    throw new Error('No Chromium was found. Install one, or name it in CHROMIUM.');
  return chromium.connect(address);
}

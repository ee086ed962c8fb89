import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';

import type { Browser } from 'playwright-core';
import { firefox } from 'playwright-core-for-esr';
import { afterAll, beforeAll, describe } from 'vitest';

import { makeFolder } from './support/temporary-folder.ts';

/** What pages are asked to be drawn in. */
export type ColorScheme = 'light' | 'dark';

/** Firefox, while it runs. */
export interface OpenFirefox {
  readonly browser: Browser;
  /** The folder that it downloads to, with each file under the name that its page gave it. */
  readonly downloads: string;
}

const PLACES = ['/usr/bin/firefox-esr', '/usr/bin/firefox'];

const executablePath = [process.env['FIREFOX'], ...PLACES].find(
  (place) => place !== undefined && existsSync(place),
);

/** What Firefox takes for the colours of the device: WebDriver BiDi cannot set them in an ESR. */
const COLOR_SCHEME_PREFERENCE = 'layout.css.prefers-color-scheme.content-override';
const COLOR_SCHEMES: Readonly<Record<ColorScheme, number>> = { dark: 0, light: 1 };

/**
 * Tests in a Firefox of their own, over WebDriver BiDi. Without one they are left out aloud; where
 * CI is set they fail.
 */
export function describeInFirefox(
  title: string,
  colorScheme: ColorScheme,
  tests: (opened: () => OpenFirefox) => void,
): void {
  const isLeftOut = executablePath === undefined && !process.env['CI'];
  if (isLeftOut)
    process.stderr.write(
      `LEFT OUT: ${title}: no Firefox was found. Install one, or name it in FIREFOX.\n`,
    );
  // oxlint-disable-next-line vitest/valid-title -- it is a string: the rule does not see types
  describe.skipIf(isLeftOut)(title, () => {
    let opened: OpenFirefox | undefined;
    beforeAll(async () => {
      opened = await openFirefox(colorScheme);
    });
    afterAll(async () => {
      await opened?.browser.close();
      if (opened !== undefined) await rm(opened.downloads, { recursive: true, force: true });
    });
    tests(() => {
      if (opened === undefined)
        throw new Error('The browser is not there yet: ask for it within a test.');
      return opened;
    });
  });
}

async function openFirefox(colorScheme: ColorScheme): Promise<OpenFirefox> {
  if (executablePath === undefined)
    throw new Error('No Firefox was found. Install one, or name it in FIREFOX.');
  const downloads = await makeFolder();
  const browser = await firefox.launch({
    channel: 'moz-firefox',
    executablePath,
    downloadsPath: downloads,
    firefoxUserPrefs: { [COLOR_SCHEME_PREFERENCE]: COLOR_SCHEMES[colorScheme] },
  });
  // The page objects are typed by the Playwright that drives Chromium, and use what both have.
  return { browser: browser as unknown as Browser, downloads };
}

import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';

import type { Browser } from 'playwright-core';
import { firefox } from 'playwright-core-for-esr';

import { describeOpened } from './describe-opened.ts';
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

/** Tests in a Firefox of their own, over WebDriver BiDi, as {@link describeOpened} runs them. */
export function describeInFirefox(
  title: string,
  colorScheme: ColorScheme,
  tests: (opened: () => OpenFirefox) => void,
): void {
  const firefoxOfTheirs = {
    name: 'Firefox',
    variable: 'FIREFOX',
    isThere: executablePath !== undefined,
    open: () => openFirefox(colorScheme),
    close: async ({ browser, downloads }: OpenFirefox) => {
      await browser.close();
      await rm(downloads, { recursive: true, force: true });
    },
  };
  describeOpened(title, firefoxOfTheirs, tests);
}

async function openFirefox(colorScheme: ColorScheme): Promise<OpenFirefox> {
  const downloads = await makeFolder();
  const browser = await firefox.launch({
    channel: 'moz-firefox',
    ...(executablePath !== undefined && { executablePath }),
    downloadsPath: downloads,
    firefoxUserPrefs: { [COLOR_SCHEME_PREFERENCE]: COLOR_SCHEMES[colorScheme] },
  });
  // The page objects are typed by the Playwright that drives Chromium, and use what both have.
  return { browser: browser as unknown as Browser, downloads };
}

import { existsSync } from 'node:fs';

import type { LaunchOptions } from 'playwright-core';

/** The one without windows first: a page of it takes two fifths of the processor time. */
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** The browser of this machine: what CHROMIUM names, else one of the usual places. */
const executablePath = [process.env['CHROMIUM'], ...PLACES].find(
  (place) => place !== undefined && existsSync(place),
);

/** How the browser is started. A sandbox in a container would need rights that tests do not have. */
export const BROWSER: LaunchOptions = {
  ...(executablePath !== undefined && { executablePath }),
  // A process for each page would take as long to start as the page does to load.
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--renderer-process-limit=1'],
};

import { hasMariadb, startMariadb } from '@proj/test-servers';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';

import { BROWSER } from './chromium.ts';
import { startDemo } from './explorer/service.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Origin of the demo. */
    readonly demo: string;
    /** Address at which the browser is driven; empty where none is installed. */
    readonly browser: string;
    /** URL of the MariaDB server; empty where none is installed. */
    readonly mariadb: string;
  }
}

interface Program {
  readonly address: string;
  readonly stop: () => Promise<void>;
}

/** Starts, once for the run, what most of the test files need. */
export default async function setUp({ provide }: TestProject): Promise<() => Promise<void>> {
  const starting = [openDemo(), startBrowser(), startDatabase()] as const;
  const stop = async (): Promise<void> => {
    for (const started of await Promise.allSettled(starting))
      if (started.status === 'fulfilled') await started.value?.stop();
  };
  try {
    const [demo, browser, mariadb] = await Promise.all(starting);
    provide('demo', demo.address);
    provide('browser', browser?.address ?? '');
    provide('mariadb', mariadb?.address ?? '');
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openDemo(): Promise<Program> {
  const { origin, stop } = await startDemo();
  return { address: origin, stop };
}

async function startBrowser(): Promise<Program | undefined> {
  if (BROWSER.executablePath === undefined) return undefined;
  const server = await chromium.launchServer(BROWSER);
  return { address: server.wsEndpoint(), stop: async () => server.close() };
}

async function startDatabase(): Promise<Program | undefined> {
  if (!hasMariadb()) return undefined;
  const server = await startMariadb({ settings: ['general-log=off', 'max-connections=200'] });
  return { address: server.url, stop: async () => server.stop() };
}

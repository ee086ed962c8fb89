import { createServer } from 'node:net';

import { listenOnFreePort } from '@proj/test-servers';
import { describe, expect, it, onTestFinished } from 'vitest';

import { temporaryDatabase } from './helper.ts';
import { readMetrics, valueOf } from './metrics-text.ts';
import { runHere } from './run-here.ts';
import { startServer } from './server-process.ts';
import { serviceHere } from './service-here.ts';
import { settingsFile } from './settings-files.ts';

function settingsOf(settings = ''): string {
  const { file } = temporaryDatabase();
  return settingsFile(`database: sqlite:${file}\nexpose: all\n${settings}`);
}

/** What a server shows, in this process. */
async function shownWith(settings = '') {
  const { app } = await serviceHere({ flags: { config: settingsOf(settings) } });
  return async (url: string) => app.inject(url);
}

describe('a server with metrics', () => {
  it('counts what is asked on its own port, answers Prometheus on another, and closes both on SIGTERM', async () => {
    const { child, ended, metricsUrl, origin } = await startServer(['--config', settingsOf()], {
      METRICS_PORT: '0',
    });
    await fetch(`${origin}/livez`);
    expect((await fetch(`${origin}/metrics`)).status).toBe(404);
    const reply = await fetch(metricsUrl);
    expect(reply.status).toBe(200);
    const samples = readMetrics(await reply.text());
    expect(
      valueOf(samples, 'http_request_duration_seconds_count', { route: '/livez', status: '200' }),
    ).toBe(1);
    expect(
      valueOf(samples, 'http_request_duration_seconds_count', { route: 'none', status: '404' }),
    ).toBe(1);
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
    await expect(fetch(metricsUrl)).rejects.toThrow('fetch failed');
  });

  it('does not start where their port is taken, and says which setting to change', async () => {
    const occupant = createServer();
    onTestFinished(() => void occupant.close());
    const port = await listenOnFreePort(occupant);
    const args = ['serve', '--config', settingsOf(), '--port', '0', '--log-level', 'silent'];
    const { code, stderr } = await runHere([...args, '--metrics-port', String(port)]);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^dynamic-query: metrics\.port: cannot listen on 127\.0\.0\.1:\d+ .*METRICS_PORT\.\n$/,
    );
  });
});

describe('a server', () => {
  it('shows the explorer that is installed with it', async () => {
    const get = await shownWith();
    const page = await get('/');
    expect(page.statusCode).toBe(200);
    const assets = [...page.body.matchAll(/(?:src|href)="(?!data:)([^"]+)"/g)].map(
      ([, address = '']) => address,
    );
    expect(assets).not.toEqual([]);
    for (const address of assets) {
      const { statusCode } = await get(new URL(address, 'http://localhost/').pathname);
      expect({ address, statusCode }).toEqual({ address, statusCode: 200 });
    }
  });

  it('shows it with the name, logo and colour of the settings', async () => {
    const logo = settingsFile('<svg xmlns="http://www.w3.org/2000/svg"/>', 'logo.svg');
    const get = await shownWith(
      `branding: { name: 'Shop "A" & B', logo: ${logo}, colour: '#0a7d4f' }\n`,
    );
    const { body: page } = await get('/');
    expect(page).toContain('<meta name="branding-name" content="Shop &quot;A&quot; &amp; B">');
    expect(page).toContain('<meta name="branding-colour" content="#0a7d4f">');
    expect(page).toContain('<meta name="branding-logo" content="data:image/svg+xml;base64,');
  });

  it('shows none where the settings say so', async () => {
    const get = await shownWith('explorer: false\n');
    expect((await get('/')).statusCode).toBe(404);
  });
});

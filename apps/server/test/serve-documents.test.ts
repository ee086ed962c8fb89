import { createServer } from 'node:net';

import { listenOnFreePort, type RunningService } from '@proj/test-servers';
import { describe, expect, it, onTestFinished } from 'vitest';

import { temporaryDatabase } from './helper.ts';
import { readMetrics, valueOf } from './metrics-text.ts';
import { launch, startServer } from './server-process.ts';
import { settingsFile } from './settings-files.ts';

/** A server with metrics. */
async function startCounted(settings = ''): Promise<{ server: RunningService; metrics: string }> {
  const { file } = temporaryDatabase();
  const config = settingsFile(`database: sqlite:${file}\nexpose: all\n${settings}`);
  const server = await startServer(['--config', config], { METRICS_PORT: '0' });
  return { server, metrics: server.metricsUrl };
}

describe('a server with metrics', () => {
  it('counts what is asked on its own port, and answers Prometheus on another', async () => {
    const { server, metrics } = await startCounted();
    await fetch(`${server.origin}/livez`);
    expect((await fetch(`${server.origin}/metrics`)).status).toBe(404);
    const reply = await fetch(metrics);
    expect(reply.status).toBe(200);
    const samples = readMetrics(await reply.text());
    expect(
      valueOf(samples, 'http_request_duration_seconds_count', { route: '/livez', status: '200' }),
    ).toBe(1);
    expect(
      valueOf(samples, 'http_request_duration_seconds_count', { route: 'none', status: '404' }),
    ).toBe(1);
  });

  it('closes both ports on SIGTERM', async () => {
    const { server, metrics } = await startCounted();
    server.child.kill('SIGTERM');
    expect((await server.ended).code).toBe(0);
    await expect(fetch(metrics)).rejects.toThrow('fetch failed');
  });

  it('does not start where their port is taken, and says which setting to change', async () => {
    const { file } = temporaryDatabase();
    const occupant = createServer();
    onTestFinished(() => void occupant.close());
    const port = await listenOnFreePort(occupant);
    const args = [
      '--database',
      `sqlite:${file}`,
      '--expose',
      'all',
      '--port',
      '0',
      '--metrics-port',
      String(port),
    ];
    const { code, stderr } = await launch(args).ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^dynamic-query: metrics\.port: cannot listen on 127\.0\.0\.1:\d+ .*METRICS_PORT\.\n$/,
    );
  });
});

describe('a server', () => {
  it('shows the explorer that is installed with it', async () => {
    const { server } = await startCounted();
    const page = await fetch(server.origin);
    expect(page.status).toBe(200);
    const assets = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(
      ([, address = '']) => address,
    );
    expect(assets).not.toEqual([]);
    for (const address of assets) {
      const { status } = await fetch(new URL(address, server.origin));
      expect({ address, status }).toEqual({ address, status: 200 });
    }
  });

  it('shows it with the name, logo and colour of the settings', async () => {
    const logo = settingsFile('<svg xmlns="http://www.w3.org/2000/svg"/>', 'logo.svg');
    const { server } = await startCounted(
      `branding: { name: 'Shop "A" & B', logo: ${logo}, colour: '#0a7d4f' }\n`,
    );
    const page = await (await fetch(server.origin)).text();
    expect(page).toContain('<meta name="branding-name" content="Shop &quot;A&quot; &amp; B">');
    expect(page).toContain('<meta name="branding-colour" content="#0a7d4f">');
    expect(page).toContain('<meta name="branding-logo" content="data:image/svg+xml;base64,');
  });

  it('shows none where the settings say so', async () => {
    const { server } = await startCounted('explorer: false\n');
    expect((await fetch(server.origin)).status).toBe(404);
  });
});

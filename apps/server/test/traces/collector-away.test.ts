import { describe, expect, it } from 'vitest';

import { cityQuery, until } from '../helper.ts';
import { startCollector } from './collector.ts';
import { startTraced } from './traced-service.ts';

describe('a collector that is away', () => {
  it('costs traces alone, and is logged once when it goes and once when it is back', async () => {
    let status = 400;
    const away = await startCollector((response) => response.writeHead(status).end());
    const { ask, lines } = await startTraced(away.url);
    const about = (): string[] =>
      lines.map(({ msg }) => msg).filter((msg) => msg.includes('collector'));
    for (let sent = 0; away.headers.length < 2; sent++) {
      expect((await ask(cityQuery(sent + 1, 5))).status).toBe(200);
      await until(() => away.headers.length > sent || away.headers.length >= 2);
    }
    expect(about()).toEqual([
      'traces cannot be sent to their collector: they are dropped until it takes them',
    ]);
    status = 200;
    await until(async () => (await ask(cityQuery(1, 5))).ok && about().length > 1);
    expect(about().slice(1)).toEqual(['traces are sent to their collector again']);
  });

  it('holds up no reply and no end of the service where it never answers', async () => {
    const collector = await startCollector(() => undefined);
    const { ask, close } = await startTraced(collector.url);
    expect((await ask(cityQuery(1, 5))).status).toBe(200);
    await until(() => collector.headers.length > 0);
    expect((await ask(cityQuery(2, 5))).status).toBe(200);
    await close();
  });
});

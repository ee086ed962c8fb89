import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

import { until } from '@proj/test-servers';

import { itemsPage } from '../../support/ask.ts';
import { demandItems, demandReply } from '../expect.ts';
import type { FaultRow } from '../fault-row.ts';
import { type Issuer, startIssuer } from '../jwt.ts';
import { type Service, SETTINGS, WITH_SLOW } from '../../support/service.ts';
import type { Stage } from '../stage.ts';

const ROLES = { reader: { models: 'all' } };

/** The services that issue tokens. */
export const ISSUERS: readonly FaultRow[] = [
  {
    name: 'clocks apart',
    fault: 'the clocks of the issuer and the service differ by 20 and by 40 seconds',
    expected: 'accepted up to 30 s, refused beyond',
    run: async (stage) => {
      const { service, issuer } = await serveIssuer(stage);
      for (const claims of [{ exp: -20 }, { nbf: 20 }])
        demandReply(await service.ask(itemsPage(), { token: issuer.token(claims) }), 200);
      for (const claims of [{ exp: -40 }, { nbf: 40 }]) {
        demandReply(
          await service.ask(itemsPage(), { token: issuer.token(claims) }),
          401,
          'unauthenticated',
        );
      }
    },
  },
  {
    name: 'keys of the issuer away',
    fault: "the issuer's keys cannot be read: from the start, and later",
    expected: '503 auth_unavailable until they were read once; afterwards its tokens stay valid',
    run: async (stage) => {
      const issuer = await issuerOf(stage);
      issuer.answers(false);
      const service = await stage.serve({
        settings: { ...SETTINGS, roles: ROLES, jwt: [issuer.settings] },
      });
      demandReply(
        await service.ask(itemsPage(), { token: issuer.token() }),
        503,
        'auth_unavailable',
      );
      await demandItems(service);
      issuer.answers(true);
      await until(
        async () => (await service.ask(itemsPage(), { token: issuer.token() })).status === 200,
      );
      issuer.answers(false);
      for (let time = 0; time < 20; time += 1)
        demandReply(await service.ask(itemsPage(), { token: issuer.token() }), 200);
    },
  },
  {
    name: 'keys of the issuer changed',
    fault: 'the issuer changes its keys',
    expected:
      'tokens of the new key are accepted without a restart, ' +
      'and few fetches are made for unknown ones',
    // It takes the half minute for which unknown keys fetch nothing.
    databases: ['sqlite'],
    run: async (stage) => {
      const { service, issuer } = await serveIssuer(stage);
      demandReply(await service.ask(itemsPage(), { token: issuer.token() }), 200);
      issuer.rotate();
      await until(async () => {
        // Faster, and the address would count as one that guesses tokens.
        await sleep(500);
        return (await service.ask(itemsPage(), { token: issuer.token() })).status === 200;
      });
      assert.ok(issuer.fetches() < 20, `${issuer.fetches()} fetches of the keys`);
    },
  },
];

async function issuerOf({ atEnd }: Stage): Promise<Issuer> {
  const issuer = await startIssuer();
  atEnd(issuer.stop);
  return issuer;
}

async function serveIssuer(stage: Stage): Promise<{ issuer: Issuer; service: Service }> {
  const issuer = await issuerOf(stage);
  const service = await stage.serve({
    settings: { ...WITH_SLOW, roles: ROLES, jwt: [issuer.settings] },
  });
  return { issuer, service };
}

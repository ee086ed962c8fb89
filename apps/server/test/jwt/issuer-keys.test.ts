import { problemOf } from '@proj/fastify/host';
import { describe, expect, it } from 'vitest';

import { until } from '../helper.ts';
import { movableClock, startIssuer } from './issuer.ts';
import { makeKey, signToken } from './tokens.ts';
import { startVerifier } from './verifier.ts';

const HOUR = 3600;

describe('a token of an OpenID provider', () => {
  it('is verified, with its name, role and claims', async () => {
    const issuer = await startIssuer(makeKey('one'));
    const { verifier } = startVerifier([issuer.settings]);
    const token = await issuer.token();
    expect(verifier.looksLikeJwt(token)).toBe(true);
    const verified = await verifier.verify(token);
    expect(verified).toMatchObject({
      name: 'app',
      role: 'reader',
      claims: { region: 'north', iss: issuer.settings.issuer },
    });
    expect(verified?.expiresAt).toBe(Number(verified?.claims['exp']) * 1000);
    expect(Object.isFrozen(verified?.claims) && Object.isFrozen(verified?.claims['roles'])).toBe(
      true,
    );
  });

  it.each(['RS256', 'ES256'] as const)('may be signed with %s', async (alg) => {
    const issuer = await startIssuer(makeKey('one', alg));
    const { verifier } = startVerifier([issuer.settings]);
    expect(await verifier.verify(await issuer.token())).toBeDefined();
  });

  it('is checked once: the second time the same answer is at hand', async () => {
    const issuer = await startIssuer(makeKey('one'));
    const { verifier } = startVerifier([issuer.settings]);
    const token = await issuer.token();
    expect(await verifier.verify(token)).toBe(await verifier.verify(token));
  });

  it('is checked by the keys of its own issuer, where there are several', async () => {
    const [one, two] = [await startIssuer(makeKey('same')), await startIssuer(makeKey('same'))];
    const { verifier } = startVerifier([one.settings, two.settings]);
    expect((await verifier.verify(await one.token()))?.claims['iss']).toBe(one.settings.issuer);
    expect((await verifier.verify(await two.token()))?.claims['iss']).toBe(two.settings.issuer);
  });
});

describe('when the issuer changes its key', () => {
  it('the new one is taken without a restart, and the old one no longer', async () => {
    const issuer = await startIssuer(makeKey('old'));
    const clock = movableClock();
    const { verifier, lines } = startVerifier([issuer.settings], { now: clock.now });
    const old = await issuer.token();
    expect(await verifier.verify(old)).toBeDefined();
    issuer.restart(makeKey('new'));
    const fresh = await issuer.token();
    expect(await verifier.verify(fresh), 'too early to look again').toBeUndefined();
    expect(await verifier.verify(old), 'not yet known to be removed').toBeDefined();
    clock.move(5);
    expect(await verifier.verify(fresh)).toBeDefined();
    expect(await verifier.verify(old), 'verified less than a minute ago').toBeUndefined();
    expect(issuer.reads()).toBe(2);
    expect(lines.filter((line) => line.includes('were read'))).toHaveLength(2);
  });

  it('and uses the name of the old one again, the new one is taken ten minutes later', async () => {
    const issuer = await startIssuer(makeKey('same'));
    const clock = movableClock();
    const { verifier } = startVerifier([issuer.settings], { now: clock.now });
    const old = await issuer.token();
    expect(await verifier.verify(old)).toBeDefined();
    issuer.restart(makeKey('same'));
    clock.move(601);
    expect(await verifier.verify(old), 'old keys serve while new ones are read').toBeDefined();
    await until(async () => (await verifier.verify(old)) === undefined);
    expect(await verifier.verify(await issuer.token())).toBeDefined();
  });
});

describe('when the issuer is down', () => {
  it('known keys serve for a day and not longer', async () => {
    const issuer = await startIssuer(makeKey('one'));
    const clock = movableClock();
    const { verifier, lines } = startVerifier([issuer.settings], { now: clock.now });
    const token = await issuer.token();
    await verifier.verify(token);
    issuer.stop();
    clock.move(23 * HOUR);
    expect(await verifier.verify(token)).toBeDefined();
    await until(() => lines.some((line) => line.includes('cannot be read')));
    expect(await verifier.verify(token)).toBeDefined();
    clock.move(2 * HOUR);
    await expect(verifier.verify(token)).rejects.toMatchObject({ code: 'auth_unavailable' });
  });

  it('and never was up, no token can be checked until it is', async () => {
    const key = makeKey('one');
    const issuer = await startIssuer(key);
    const token = await issuer.token();
    issuer.stop();
    const { verifier } = startVerifier([issuer.settings]);
    const refusal = await verifier.verify(token).catch(problemOf);
    expect(refusal).toMatchObject({
      code: 'auth_unavailable',
      status: 503,
      headers: { 'retry-after': '1' },
    });
    issuer.restart(key);
    await until(async () => (await verifier.verify(token).catch(() => undefined)) !== undefined);
  });

  it('a token of no known issuer is still not valid', async () => {
    const issuer = await startIssuer(makeKey('one'));
    issuer.stop();
    const { verifier } = startVerifier([issuer.settings]);
    const claims = { iss: 'https://else.example', exp: Date.now() };
    expect(
      await verifier.verify(signToken(makeKey('one'), { alg: 'ES256', kid: 'one' }, claims)),
    ).toBeUndefined();
  });
});

it('a thousand tokens of unknown keys lead to one read in 5 seconds', async () => {
  const issuer = await startIssuer(makeKey('one'));
  const clock = movableClock();
  const { verifier } = startVerifier([issuer.settings], { now: clock.now });
  const { iss, aud, exp, roles, sub } = (await verifier.verify(await issuer.token()))?.claims ?? {};
  const stranger = makeKey('stranger');
  const flood = async (name: string): Promise<unknown[]> => {
    const tokens = Array.from({ length: 1000 }, (_, index) =>
      signToken(stranger, { alg: 'ES256', kid: `${name}-${index}` }, { iss, aud, exp, roles, sub }),
    );
    return (await Promise.all(tokens.map((token) => verifier.verify(token)))).filter(
      (verified) => verified !== undefined,
    );
  };
  expect(await flood('early')).toEqual([]);
  expect(issuer.reads()).toBe(1);
  clock.move(5);
  expect(await flood('later')).toEqual([]);
  expect(await flood('again')).toEqual([]);
  expect(issuer.reads()).toBe(2);
});

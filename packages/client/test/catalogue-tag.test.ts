import { createClient } from '@proj/client';
import { expect, it, onTestFinished, vi } from 'vitest';

import { cities, CITIES_MODEL, contractService, TOKEN } from './contract-service.ts';
import { serve } from './http-server.ts';

const PAGE = { model: 'cities', attributes: ['id'], page: 1, size: 1 };

/** A client, what it warns, and the catalogue that its service names. */
async function start({ typed, service }: { typed?: string; service?: string }) {
  const state = { tag: service };
  const { url } = await serve((request, response) => {
    const { tag } = state;
    const named = tag === undefined ? {} : { catalogueTag: () => tag };
    contractService(cities(3), named)(request, response);
  });
  const warn = vi.spyOn(console, 'warn').mockReset();
  onTestFinished(() => warn.mockRestore());
  const options = { baseUrl: url, token: TOKEN, ...(typed && { catalogueTag: typed }) };
  return { client: createClient(options), warn, state };
}

it('warns once when a reply follows another catalogue than the types', async () => {
  const { client, warn, state } = await start({ typed: 'made-of', service: 'made-of' });
  await client.query(PAGE);
  expect(warn).not.toHaveBeenCalled();
  state.tag = 'another';
  await client.query(PAGE);
  await client.models();
  expect(warn.mock.calls).toEqual([[expect.stringContaining('"dq types"')]]);
});

it('warns of an export and of a watch, which are streams', async () => {
  const list = { model: 'cities', attributes: ['id'] };
  const exporting = await start({ typed: 'made-of', service: 'another' });
  await exporting.client.export(list);
  expect(exporting.warn).toHaveBeenCalledOnce();
  exporting.warn.mockRestore();
  const watching = await start({ typed: 'made-of', service: 'another' });
  for await (const state of watching.client.watch(list)) if (state.total > 0n) break;
  expect(watching.warn).toHaveBeenCalledOnce();
});

it.each([
  { why: 'the client has no types', typed: undefined, service: 'another' },
  { why: 'the service names no catalogue', typed: 'made-of', service: undefined },
])('does not warn where $why', async ({ typed, service }) => {
  const { client, warn } = await start({ ...(typed && { typed }), ...(service && { service }) });
  await client.query(PAGE);
  expect(warn).not.toHaveBeenCalled();
});

it('reads the models with what names them', async () => {
  const { client } = await start({ service: 'made-of' });
  expect(await client.catalogue()).toEqual({ models: [CITIES_MODEL], tag: 'made-of' });
  const { client: older } = await start({});
  expect(await older.catalogue()).toMatchObject({ tag: null });
});

it('refuses a catalogueTag that is no text', () => {
  expect(() =>
    createClient({ baseUrl: 'https://a.example', token: 't', catalogueTag: '' }),
  ).toThrow('catalogueTag: expected the text that "dq types" wrote');
});

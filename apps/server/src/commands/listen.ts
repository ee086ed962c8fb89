import type { AddressInfo, Server } from 'node:net';

import { SettingsError } from '@proj/engine';

import { flagOf, variableOf } from '../settings/file/sources.ts';

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** @throws {SettingsError} when the address cannot be listened on. */
export async function listen<Listening>(
  listener: { readonly listen: (address: Address) => Promise<Listening> },
  { host, port }: Address,
  setting: 'port' | 'metrics.port',
): Promise<Listening> {
  try {
    return await listener.listen({ host, port });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SettingsError(
      `${setting}: cannot listen on ${host}:${port} (${reason}). ` +
        `Choose another with ${flagOf(setting)} or ${variableOf(setting)}.`,
      { cause: error },
    );
  }
}

/** @throws {SettingsError} when the address cannot be listened on */
export async function listenForMetrics(
  app: {
    readonly listen: (address: Address) => Promise<unknown>;
    readonly server: Pick<Server, 'address'>;
  },
  address: Address,
): Promise<void> {
  await listen(app, address, 'metrics.port');
  if (address.port === 0) process.stdout.write(`Metrics are at ${originOf(app.server)}/metrics\n`);
}

export function originOf(server: Pick<Server, 'address'>): string {
  const { address, port } = server.address() as AddressInfo;
  return urlOf({ host: address, port });
}

/** With IPv6 in brackets. */
export function urlOf({ host, port }: Address): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

import type { AddressInfo } from 'node:net';

import { SettingsError } from '@proj/engine';

import type { App } from '../app.ts';
import { flagOf, variableOf } from '../settings/sources.ts';

interface Address {
  readonly host: string;
  readonly port: number;
}

/** @throws {SettingsError} when the address cannot be listened on. */
export async function listen(
  app: App,
  { host, port }: Address,
  setting: 'port' | 'metrics.port',
): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SettingsError(
      `${setting}: cannot listen on ${host}:${port} (${reason}). ` +
        `Choose another with ${flagOf(setting)} or ${variableOf(setting)}.`,
      { cause: error },
    );
  }
}

/** Where a listening app is reached, such as `http://127.0.0.1:3000`. */
export function originOf(app: App): string {
  const { address, port } = app.server.address() as AddressInfo;
  return urlOf({ host: address, port });
}

/** The origin of an address; IPv6 in brackets. */
export function urlOf({ host, port }: Address): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

import { SettingsError } from '@proj/engine';
import type { FastifyInstance } from 'fastify';

interface Address {
  readonly host: string;
  readonly port: number;
}

/** A setting that names a port, for the message that another is needed. */
const PORTS = {
  port: 'Choose another with --port or PORT.',
  'metrics.port': 'Choose another with --metrics-port or METRICS_PORT.',
} as const;

/** @throws {SettingsError} when the address cannot be listened on. */
export async function listen(
  app: FastifyInstance,
  { host, port }: Address,
  setting: keyof typeof PORTS,
): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SettingsError(
      `${setting}: cannot listen on ${host}:${port} (${reason}). ${PORTS[setting]}`,
      { cause: error },
    );
  }
}

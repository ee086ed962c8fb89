import { globSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { until } from '@proj/test-servers';

import { COMPOSE_FOLDER, type ComposeService, readComposeFile } from './compose-file.ts';
import { makeHostRoot, type Root } from './host-root.ts';
import { LocalNetwork } from './local-network.ts';
import { type Bind, OciContainer } from './oci-container.ts';
import { ROOT } from '../repository.ts';

const MAIN = join(ROOT, 'apps/server/dist/main.js');
const POSTGRES = fileURLToPath(new URL('postgres-entrypoint.sh', import.meta.url));
const POSTGRES_PROGRAMS = globSync('/usr/lib/postgresql/*/bin').at(-1) ?? '';

/** How an image is run: what the Compose file leaves to it. */
interface Image {
  readonly user: string;
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly health?: readonly string[];
}

/** Debian's programs in the place of the images, by the names of these without registry and tag. */
const IMAGES: Readonly<Record<string, Image>> = {
  'dynamic-query': {
    user: '65532:65532',
    command: [process.execPath, MAIN, 'serve'],
    env: { HOST: '0.0.0.0', PORT: '3000', NODE_ENV: 'production' },
    health: [process.execPath, MAIN, 'health'],
  },
  haproxy: {
    user: '99:99',
    command: ['haproxy', '-W', '-db', '-f', '/usr/local/etc/haproxy/haproxy.cfg'],
    // The image has none: whoever asks before it listens is refused.
    health: [process.execPath, '-e', "require('net').connect(8080, '127.0.0.1', process.exit)"],
  },
  redis: { user: '999:999', command: [] },
  // `nobody`: PostgreSQL wants an account that the machine knows.
  postgres: { user: '65534:65534', command: [POSTGRES, POSTGRES_PROGRAMS] },
};

/**
 * The services of the Compose file as containers of Debian's programs, on a network of their own:
 * with the files, secrets, variables, commands, health checks and rights of the Compose file.
 */
export class ComposeProject {
  readonly #services = readComposeFile().services;
  readonly #replaced: Readonly<Record<string, string>>;
  readonly #roots: Root[] = [];
  readonly #containers = new Map<string, OciContainer>();
  readonly network: LocalNetwork;

  private constructor(network: LocalNetwork, replaced: Readonly<Record<string, string>>) {
    this.network = network;
    this.#replaced = replaced;
  }

  /** @param replaced folders in the place of those of the Compose file, such as `./settings` */
  static async create(replaced: Readonly<Record<string, string>>): Promise<ComposeProject> {
    const { networks, services } = readComposeFile();
    const [{ subnet }] = networks.default.ipam.config;
    return new ComposeProject(await LocalNetwork.create(subnet, Object.keys(services)), replaced);
  }

  /** Starts all services, each once those that it depends on are healthy. */
  async up(): Promise<void> {
    const pending = new Set(Object.keys(this.#services));
    while (pending.size > 0) {
      const dependencies = (name: string) => Object.keys(this.#service(name).depends_on ?? {});
      const ready = [...pending].filter((name) => dependencies(name).every((d) => !pending.has(d)));
      for (const name of ready) await this.start(name);
      for (const name of ready) pending.delete(name);
    }
  }

  /** Starts one service, and waits until it is healthy. */
  async start(name: string): Promise<void> {
    const service = this.#service(name);
    const image = imageOf(service);
    const root = await makeHostRoot();
    this.#roots.push(root);
    const container = await OciContainer.start({
      root: root.path,
      args: service.command ?? image.command,
      env: { PATH: process.env['PATH'] ?? '', ...image.env, ...service.environment },
      user: service.user ?? image.user,
      binds: [await this.network.resolverFile(), ...this.#bindsOf(service)],
      canWrite: service.read_only !== true,
      network: this.network.namespaceOf(name),
    });
    this.#containers.set(name, container);
    await this.#waitUntilHealthy(name);
  }

  /** Stops one service as Compose does, and gives its exit code. */
  async stop(name: string): Promise<number | null> {
    const container = this.container(name);
    await container.signal('SIGTERM');
    const { code } = await container.program.ended;
    await container.remove();
    return code;
  }

  container(name: string): OciContainer {
    const container = this.#containers.get(name);
    if (container === undefined) throw new Error(`${name} was not started.`);
    return container;
  }

  async remove(): Promise<void> {
    for (const container of this.#containers.values()) await container.remove();
    for (const root of this.#roots) await root.remove();
    await this.network.remove();
  }

  #service(name: string): ComposeService {
    const service = this.#services[name];
    if (service === undefined) throw new Error(`There is no service ${name}.`);
    return service;
  }

  /** The folders and secrets that a service sees. */
  #bindsOf({ volumes = [], secrets = [] }: ComposeService): Bind[] {
    const folders = volumes
      .filter((volume) => volume.startsWith('.'))
      .map((volume) => {
        const [source = '', target = ''] = volume.split(':');
        return { source: this.#placeOf(source), target };
      });
    return [
      ...folders,
      ...secrets.map((name) => {
        const source = join(this.#placeOf('./secrets'), name);
        return { source, target: `/run/secrets/${name}` };
      }),
    ];
  }

  #placeOf(folder: string): string {
    return this.#replaced[folder] ?? resolve(COMPOSE_FOLDER, folder);
  }

  async #waitUntilHealthy(name: string): Promise<void> {
    const service = this.#service(name);
    const check = service.healthcheck?.test.slice(1) ?? imageOf(service).health;
    if (check === undefined) return;
    const container = this.container(name);
    const hasEnded = (): boolean => container.program.child.exitCode !== null;
    const isHealthy = (): Promise<boolean> =>
      container.exec(...check).then(
        () => true,
        () => false,
      );
    await until(async () => hasEnded() || (await isHealthy()), 240_000);
    if (hasEnded()) throw new Error(`${name}: ${container.program.output()}`);
  }
}

function imageOf({ image }: ComposeService): Image {
  const [, name = ''] = /([^/:]+)(:[^/]*)?$/.exec(image) ?? [];
  const found = IMAGES[name];
  if (found === undefined) throw new Error(`Nothing stands for the image ${image}.`);
  return found;
}

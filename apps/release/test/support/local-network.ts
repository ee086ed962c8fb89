import { randomBytes } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type RunningProgram, startProgram } from '@proj/test-servers';

import type { Bind } from './oci-container.ts';
import { run } from './programs.ts';

/**
 * A network of containers, apart from that of this machine: each host has a namespace with an
 * address, and all ask a name service for each other, as in a network of Docker.
 */
export class LocalNetwork {
  readonly #prefix: string;
  readonly #subnet: string;
  readonly #hosts: readonly string[];
  readonly #name = `dq${randomBytes(3).toString('hex')}`;
  readonly #namespaces: string[] = [];
  #names: RunningProgram | undefined;

  private constructor(subnet: string, hosts: readonly string[]) {
    this.#subnet = subnet.replace(/.*\//, '');
    this.#prefix = subnet.replace(/\d+\/.*/, '');
    this.#hosts = hosts;
  }

  /** @param subnet such as `10.1.2.0/24` */
  static async create(subnet: string, hosts: readonly string[]): Promise<LocalNetwork> {
    const network = new LocalNetwork(subnet, hosts);
    await network.#makeBridge();
    for (const [index, host] of hosts.entries()) await network.#join(host, index);
    await network.#startNames();
    return network;
  }

  /** The file of a host's namespace. */
  namespaceOf(host: string): string {
    return `/var/run/netns/${this.#name}-${host}`;
  }

  addressOf(host: string): string {
    return `${this.#prefix}${this.#hosts.indexOf(host) + 10}`;
  }

  /** What a container of the network needs in its file system. */
  async resolverFile(): Promise<Bind> {
    const source = join(await mkdtemp(join(tmpdir(), 'dynamic-query-names-')), 'resolv.conf');
    await writeFile(source, `nameserver ${this.#prefix}1\n`);
    return { source, target: '/etc/resolv.conf' };
  }

  /** Starts a program of this machine in the network, beside the hosts. */
  start(command: string, ...args: readonly string[]): RunningProgram {
    return startProgram('ip', ['netns', 'exec', this.#name, command, ...args]);
  }

  async remove(): Promise<void> {
    await this.#names?.stop();
    for (const namespace of this.#namespaces) await run('ip', ['netns', 'delete', namespace]);
  }

  async #makeBridge(): Promise<void> {
    await this.#addNamespace(this.#name);
    await this.#ip('link', 'add', 'bridge', 'type', 'bridge');
    await this.#ip('address', 'add', `${this.#prefix}1/${this.#subnet}`, 'dev', 'bridge');
    for (const device of ['lo', 'bridge']) await this.#ip('link', 'set', device, 'up');
  }

  async #join(host: string, index: number): Promise<void> {
    const namespace = `${this.#name}-${host}`;
    await this.#addNamespace(namespace);
    const [port, address] = [`port${index}`, `${this.addressOf(host)}/${this.#subnet}`];
    const peer = ['peer', 'name', 'eth0', 'netns', namespace];
    await this.#ip('link', 'add', port, 'type', 'veth', ...peer);
    await this.#ip('link', 'set', port, 'master', 'bridge', 'up');
    await run('ip', ['-n', namespace, 'address', 'add', address, 'dev', 'eth0']);
    for (const device of ['lo', 'eth0'])
      await run('ip', ['-n', namespace, 'link', 'set', device, 'up']);
  }

  async #startNames(): Promise<void> {
    const records = this.#hosts.map((host) => `--host-record=${host},${this.addressOf(host)}`);
    const alone = ['--no-daemon', '--conf-file=/dev/null', '--no-resolv', '--no-hosts'];
    this.#names = this.start('dnsmasq', ...alone, '--user=root', '--bind-interfaces', ...records);
  }

  async #addNamespace(name: string): Promise<void> {
    await run('ip', ['netns', 'add', name]);
    this.#namespaces.push(name);
  }

  async #ip(...args: readonly string[]): Promise<void> {
    await run('ip', ['-n', this.#name, ...args]);
  }
}

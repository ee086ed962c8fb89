import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort, type RunningProgram, startProgram } from '@proj/test-servers';

import { type Manifest, podOf } from './manifests.ts';
import { ROOT } from '../repository.ts';

const MAIN = join(ROOT, 'apps/server/dist/main.js');

/** The files of a volume, by their names. */
export type Files = Readonly<Record<string, string>>;

/**
 * The container of a Deployment as a process of this machine: with the variables and the probes of
 * the manifest, and with its volumes as folders that are laid out as the kubelet does.
 */
export class KubernetesPod {
  readonly #folder: string;
  readonly #container;
  readonly #ports = new Map<string, number>();
  #program: RunningProgram | undefined;

  private constructor(folder: string, manifests: readonly Manifest[]) {
    this.#folder = folder;
    this.#container = podOf(manifests).container;
  }

  /** @param volumes what each volume holds, by its name */
  static async start(
    manifests: readonly Manifest[],
    volumes: Readonly<Record<string, Files>>,
  ): Promise<KubernetesPod> {
    const pod = new KubernetesPod(await mkdtemp(join(tmpdir(), 'dynamic-query-pod-')), manifests);
    for (const { name = '' } of pod.#container.ports ?? []) pod.#ports.set(name, await freePort());
    for (const [name, files] of Object.entries(volumes)) await pod.fill(name, files);
    pod.#program = startProgram(process.execPath, [MAIN], pod.#environment());
    return pod;
  }

  get program(): RunningProgram {
    if (this.#program === undefined) throw new Error('The pod was not started.');
    return this.#program;
  }

  /** Puts files in the place of those of a volume, all at once, as the kubelet does. */
  async fill(volume: string, files: Files): Promise<void> {
    const folder = join(this.#folder, volume);
    const version = await this.#writeVersion(folder, files);
    await symlink(version, join(folder, '..data_new'));
    await rename(join(folder, '..data_new'), join(folder, '..data'));
    for (const name of Object.keys(files))
      await symlink(join('..data', name), join(folder, name)).catch(() => undefined);
  }

  /** Asks what a probe of the manifest asks. */
  async probe(name: 'startupProbe' | 'livenessProbe' | 'readinessProbe'): Promise<number> {
    const { path = '', port } = this.#container[name]?.httpGet ?? {};
    return this.fetch(String(port), path).then(
      ({ status }) => status,
      () => 0,
    );
  }

  async fetch(port: string, path: string, init?: RequestInit): Promise<Response> {
    return fetch(`http://127.0.0.1:${this.#ports.get(port)}${path}`, init);
  }

  async stop(): Promise<void> {
    await this.#program?.stop();
    await rm(this.#folder, { recursive: true });
  }

  async #writeVersion(folder: string, files: Files): Promise<string> {
    await mkdir(folder, { recursive: true });
    const version = await mkdtemp(join(folder, '..version-'));
    for (const [name, text] of Object.entries(files)) await writeFile(join(version, name), text);
    return version;
  }

  /** The variables of the manifest, with the places and ports that they have here. */
  #environment(): Record<string, string> {
    const mounts = this.#container.volumeMounts ?? [];
    const here = (value: string): string => {
      const mount = mounts.find(({ mountPath }) => value.startsWith(`${mountPath}/`));
      return mount === undefined
        ? value
        : value.replace(mount.mountPath, join(this.#folder, mount.name));
    };
    const variables = (this.#container.env ?? []).map(({ name, value = '' }) => [
      name,
      here(value),
    ]);
    return {
      ...(Object.fromEntries(variables) as Record<string, string>),
      HOST: '127.0.0.1',
      METRICS_HOST: '127.0.0.1',
      PORT: String(this.#ports.get('http')),
      METRICS_PORT: String(this.#ports.get('metrics')),
    };
  }
}

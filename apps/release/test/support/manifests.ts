import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { IDeployment } from 'kubernetes-models/apps/v1';
import type { IPod, Pod } from 'kubernetes-models/v1';
import { parseAllDocuments } from 'yaml';

import { run } from './programs.ts';

/** An object of Kubernetes. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec?: unknown;
  readonly data?: Readonly<Record<string, string>>;
}

/** That this `kubectl` knows no folders among `resources`, such as that of Debian 12. */
export function olderKubectl(): string {
  const { stdout } = spawnSync('kubectl', ['version', '--client', '--output=json'], {
    encoding: 'utf8',
  });
  const minor = Number(/"gitVersion": "v1\.(\d+)/.exec(stdout)?.[1]);
  return minor < 21 ? ` (needs kubectl 1.21, not 1.${minor})` : '';
}

/** The objects that Kustomize makes of a folder of `deploy/kubernetes`. */
export async function kustomize(folder: string): Promise<Manifest[]> {
  const printed = await run('kubectl', ['kustomize', `deploy/kubernetes/${folder}`]);
  return parseAllDocuments(printed).map((document) => document.toJS() as Manifest);
}

/** The one object of a kind. */
export function only(manifests: readonly Manifest[], kind: string): Manifest {
  const [found, ...others] = manifests.filter((manifest) => manifest.kind === kind);
  if (found === undefined || others.length > 0) throw new Error(`There is not one ${kind}.`);
  return found;
}

/** The pods of the one Deployment, and their one container. */
export function podOf(manifests: readonly Manifest[]) {
  const { spec } = only(manifests, 'Deployment') as IDeployment;
  const pod = spec?.template.spec;
  const [container, ...others] = pod?.containers ?? [];
  if (spec === undefined || pod === undefined || container === undefined || others.length > 0)
    throw new Error('The Deployment has not one container.');
  return { spec, pod, container };
}

/** What the JSON schemas of Kubernetes say against an object, as `kubernetes-models` compiles them. */
export async function schemaError({ apiVersion, kind, ...rest }: Manifest): Promise<string> {
  const models = (await import(moduleOf(apiVersion))) as Record<string, typeof Pod>;
  const Model = models[kind];
  if (Model === undefined) return `there is no ${kind} in ${apiVersion}`;
  try {
    new Model(rest as IPod).validate();
    return '';
  } catch (error) {
    return `${kind}: ${String(error)}`;
  }
}

/**
 * What the compiler says against objects: unlike the schemas, types refuse a member that does not
 * exist.
 */
export function typeErrors(manifests: readonly Manifest[]): string {
  const file = fileURLToPath(new URL('manifests.generated.ts', import.meta.url));
  const lines = manifests.map((manifest, index) => {
    const type = `import('${moduleOf(manifest.apiVersion)}').I${manifest.kind}`;
    return `export const manifest${index}: ${type} = ${JSON.stringify(manifest, null, 2)};\n`;
  });
  writeFileSync(file, lines.join(''));
  try {
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--ignoreConfig'];
    const resolution = ['--module', 'nodenext', '--target', 'esnext'];
    return spawnSync('tsc', [...options, ...resolution, file], { encoding: 'utf8' }).stdout;
  } finally {
    rmSync(file);
  }
}

function moduleOf(apiVersion: string): string {
  return `kubernetes-models/${apiVersion}`;
}

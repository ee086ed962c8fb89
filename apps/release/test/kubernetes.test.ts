import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { type Files, KubernetesPod } from './support/kubernetes-pod.ts';
import {
  kustomize,
  olderKubectl,
  type Manifest,
  only,
  podOf,
  schemaError,
  typeErrors,
} from './support/manifests.ts';
import { unmet } from './support/programs.ts';

/** How long running queries get after the drain, in seconds: apps/server/README.md. */
const GRACE_S = 30;
const TOKEN = 'a-token-of-enough-characters';

const left = unmet({ programs: ['kubectl'] }) || olderKubectl();

describe.skipIf(left)(`the manifests for Kubernetes${left}`, () => {
  let base: Manifest[] = [];
  let example: Manifest[] = [];

  beforeAll(async () => {
    base = await kustomize('base');
    example = await kustomize('overlays/example');
  });

  it('are valid by the JSON schemas of Kubernetes, and have no member that does not exist', async () => {
    expect(base).toHaveLength(6);
    expect(example).toHaveLength(7);
    const errors = await Promise.all([...base, ...example].map(schemaError));
    expect(errors.filter((error) => error !== '')).toEqual([]);
    expect(typeErrors([...base, ...example])).toBe('');
  });

  it('would be found wrong where they are', async () => {
    const budget = only(base, 'PodDisruptionBudget');
    expect(await schemaError({ ...budget, spec: { selector: 'pods' } })).toContain(
      'data/spec/selector must be object',
    );
    expect(typeErrors([{ ...budget, spec: { maxUnavaliable: 1 } }])).toContain('maxUnavaliable');
  });

  it('find each other by labels and names', () => {
    const { spec, pod, container } = podOf(example);
    const labels = spec.template.metadata?.labels;
    const matchLabels = labels;
    expect(spec.selector).toEqual({ matchLabels });
    expect(only(example, 'PodDisruptionBudget').spec).toMatchObject({ selector: { matchLabels } });
    expect(only(example, 'Service').spec).toMatchObject({
      selector: labels,
      ports: [{ targetPort: container.ports?.[0]?.name }],
    });
    const { name } = only(example, 'Deployment').metadata;
    expect(only(example, 'HorizontalPodAutoscaler').spec).toMatchObject({
      scaleTargetRef: { kind: 'Deployment', name },
    });
    // Otherwise each `kubectl apply` would undo what the autoscaler did.
    expect(spec.replicas).toBeUndefined();
    expect(pod.serviceAccountName).toBe(only(example, 'ServiceAccount').metadata.name);
    const volumes = pod.volumes?.map((volume) => volume.name);
    expect(container.volumeMounts?.map((mount) => mount.name)).toEqual(volumes);
    const configMap = pod.volumes?.find((volume) => volume.configMap)?.configMap?.name;
    expect(configMap).toBe(only(example, 'ConfigMap').metadata.name);
  });

  it('give pods no right that the standard `restricted` withholds, nor a token of the API', () => {
    const { pod, container } = podOf(example);
    expect(pod.automountServiceAccountToken).toBe(false);
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(container.volumeMounts?.every(({ readOnly }) => readOnly)).toBe(true);
    expect(JSON.stringify(pod)).not.toMatch(/hostPath|hostNetwork|hostPID|privileged/);
  });

  it('leave a pod the time to drain, and notice in that time that it is not ready', () => {
    const { pod, container } = podOf(example);
    const drainS = Number(container.env?.find(({ name }) => name === 'DRAIN_MS')?.value) / 1000;
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(drainS + GRACE_S);
    const { periodSeconds = 10, failureThreshold = 3 } = container.readinessProbe ?? {};
    expect(periodSeconds * failureThreshold).toBeLessThan(drainS);
  });

  it('follow a changed ConfigMap: its folder is mounted, and its name has no hash', () => {
    const { container } = podOf(example);
    expect(container.volumeMounts?.some(({ subPath }) => subPath !== undefined)).toBe(false);
    const names = [base, example].map((all) => only(all, 'ConfigMap').metadata.name);
    expect(names).toEqual(['dynamic-query', 'dynamic-query']);
    const [baseFile, ownFile] = [base, example].map((all) => only(all, 'ConfigMap').data);
    expect(Object.keys(baseFile ?? {})).toEqual(Object.keys(ownFile ?? {}));
    expect(ownFile).not.toEqual(baseFile);
  });

  it('run the service: probes, metrics, a new token in the ConfigMap, and the drain', async () => {
    const settings = only(example, 'ConfigMap').data ?? {};
    const pod = await startPod(example, settings);
    await expect.poll(() => pod.probe('startupProbe')).toBe(200);
    await expect.poll(() => pod.probe('readinessProbe')).toBe(200);
    expect((await pod.fetch('metrics', '/metrics')).status).toBe(200);
    expect(await statusOfQuery(pod)).toBe(401);
    await pod.fill('settings', withToken(settings));
    await expect.poll(() => statusOfQuery(pod)).toBe(200);
    pod.program.child.kill('SIGTERM');
    await expect.poll(() => pod.probe('readinessProbe')).toBe(503);
    expect([await pod.probe('livenessProbe'), await statusOfQuery(pod)]).toEqual([200, 200]);
    expect((await pod.program.ended).code).toBe(0);
  });
});

it.skipIf(left)(`the base alone serves nothing, and says what to write${left}`, async () => {
  const base = await kustomize('base');
  const pod = await startPod(base, only(base, 'ConfigMap').data ?? {});
  const { code, stderr } = await pod.program.ended;
  expect(code).toBe(1);
  expect(stderr).toContain('models: none is exposed. List models in the settings file');
});

async function startPod(manifests: readonly Manifest[], settings: Files): Promise<KubernetesPod> {
  const folder = await mkdtemp(join(tmpdir(), 'dynamic-query-shop-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'shop.db');
  const shop = new DatabaseSync(file);
  shop.exec('create table orders (id integer primary key)');
  shop.close();
  const secrets = { database_url: `sqlite:${file}\n` };
  const pod = await KubernetesPod.start(manifests, { settings, secrets });
  onTestFinished(() => pod.stop());
  return pod;
}

/** The settings with the hash of a token that is known here. */
function withToken(settings: Files): Files {
  const sha256 = createHash('sha256').update(TOKEN).digest('hex');
  const changed = Object.entries(settings).map(([name, text]) => [
    name,
    text.replace(/sha256: .*/, `sha256: ${sha256}`),
  ]);
  return Object.fromEntries(changed) as Files;
}

async function statusOfQuery(pod: KubernetesPod): Promise<number> {
  const reply = await pod.fetch('http', '/api/v1/dynamic/query', {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      query_model: 'orders',
      query_attributes: ['id'],
      page: { page: 1, size: 1 },
    }),
  });
  return reply.status;
}

import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  detectResources,
  type Resource,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';

import { packageVersion } from '../process/program-files.ts';
import type { TracesSettings } from '../settings/groups/traces.ts';
import { type CurrentTrace, EngineSpans } from './engine-spans.ts';
import type { RequestTracing } from './request-tracing.ts';
import { startRequest } from './request-span.ts';
import { WatchedExporter } from './watched-exporter.ts';

/** A statement may have 64 KiB, and many spans wait. */
const LONGEST_ATTRIBUTE = 4096;
const MOST_WAITING = 2048;

/** How long spans wait for others, in milliseconds. */
const LONGEST_WAIT_MS = 1000;

/** How long an ending process waits for its last spans, in milliseconds. */
const CLOSE_LIMIT_MS = 2000;

/** Settings that name a collector. */
export type ConnectedTraces = TracesSettings & { readonly endpoint: string };

/** Sends traces in the background. While the collector is slow or away, traces are dropped. */
export function openTracing(
  settings: ConnectedTraces,
  log: Pick<Logger, 'info' | 'warn'>,
): RequestTracing {
  const { endpoint, headers } = settings;
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  const exporter = new WatchedExporter(new OTLPTraceExporter({ url, headers }), log);
  const waiting = { maxQueueSize: MOST_WAITING, scheduledDelayMillis: LONGEST_WAIT_MS };
  const provider = new TracerProvider({
    resource: resourceOf(settings),
    sampler: samplerOf(settings),
    spanLimits: { attributeValueLengthLimit: LONGEST_ATTRIBUTE },
    spanProcessors: [new BatchSpanProcessor({ exporter, ...waiting })],
  });
  const tracer = provider.getTracer('dynamic-query', packageVersion());
  const current: CurrentTrace = new AsyncLocalStorage();
  const spans = new EngineSpans(tracer, current);
  return {
    start: (request) => startRequest(request, { tracer, current, spans }),
    close: async () => {
      spans.close();
      const sent = provider.shutdown().catch(() => undefined);
      await Promise.race([sent, sleep(CLOSE_LIMIT_MS, undefined, { ref: false })]);
    },
  };
}

/** `OTEL_RESOURCE_ATTRIBUTES` adds what the operator knows, such as the name of the pod. */
function resourceOf({ service_name: name }: TracesSettings): Resource {
  const instance = resourceFromAttributes({
    'service.version': packageVersion(),
    'service.instance.id': randomUUID(),
  });
  const known = detectResources({ detectors: [resourceAttributesEnvDetector] });
  return instance.merge(known).merge(resourceFromAttributes({ 'service.name': name }));
}

function samplerOf({ sampler, sample_ratio: ratio }: TracesSettings): Sampler {
  const root = sampler.endsWith('always_on')
    ? new AlwaysOnSampler()
    : sampler.endsWith('always_off')
      ? new AlwaysOffSampler()
      : new TraceIdRatioBasedSampler(ratio);
  return sampler.startsWith('parentbased') ? new ParentBasedSampler({ root }) : root;
}

import { createServer, type ServerResponse } from 'node:http';

import { listenOnFreePort } from '@proj/test-servers';
import { onTestFinished } from 'vitest';

import type { AtEnd } from './traced-service.ts';

/** A span as a collector gets it. */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly kind: number;
  readonly status: number | undefined;
  readonly startedAt: bigint;
  readonly endedAt: bigint;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** A receiver of OTLP over HTTP, in its JSON form. */
export interface Collector {
  readonly url: string;
  readonly port: number;
  readonly spans: CollectedSpan[];
  readonly resources: Readonly<Record<string, unknown>>[];
  /** Everything that came, as it came. */
  readonly text: () => string;
  readonly headers: Readonly<Record<string, unknown>>[];
}

type Value = Readonly<Record<string, unknown>> & {
  readonly arrayValue?: { readonly values: readonly Value[] };
};

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[];
  }[];
}

interface Attribute {
  readonly key: string;
  readonly value: Value;
}

interface WireSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly status?: { readonly code?: number };
}

/** @param answer replies to an export; by default it is taken */
export async function startCollector(
  answer: (response: ServerResponse) => void = (response) =>
    response.setHeader('content-type', 'application/json').end('{}'),
  atEnd: AtEnd = onTestFinished,
): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const resources: Record<string, unknown>[] = [];
  const headers: Record<string, unknown>[] = [];
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      bodies.push(body);
      headers.push({ ...request.headers, path: request.url });
      for (const { resource, scopeSpans } of (JSON.parse(body) as Export).resourceSpans) {
        resources.push(attributesOf(resource.attributes));
        spans.push(...scopeSpans.flatMap((scope) => scope.spans.map(collected)));
      }
      answer(response);
    });
  });
  const port = await listenOnFreePort(server);
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${port}`;
  return { url, port, spans, resources, headers, text: () => bodies.join('\n') };
}

function collected(span: WireSpan): CollectedSpan {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId,
    name: span.name,
    kind: span.kind,
    status: span.status?.code,
    startedAt: BigInt(span.startTimeUnixNano),
    endedAt: BigInt(span.endTimeUnixNano),
    attributes: attributesOf(span.attributes),
  };
}

function attributesOf(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)]));
}

function valueOf(value: Value): unknown {
  return value.arrayValue?.values.map(valueOf) ?? Object.values(value)[0];
}

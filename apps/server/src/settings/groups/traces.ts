import { named } from '@proj/fastify/settings';
import * as z from 'zod';

/** OpenTelemetry's samplers, by their names in `OTEL_TRACES_SAMPLER`. */
const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** Where traces go, and which requests are traced. */
export const tracesSettings = z.strictObject({
  endpoint: z
    .url({ protocol: /^https?$/, error: 'expected a URL such as http://collector:4318' })
    .optional()
    .describe(
      'URL of an OpenTelemetry collector that takes OTLP over HTTP, such as ' +
        '`http://collector:4318`; traces go to `/v1/traces` below it. Without it there are none. ' +
        'See docs/guides/monitor.md.',
    ),
  headers: named(z.string(), z.string())
    .default({})
    .describe('Headers for the collector, such as `Authorization`. Keep them in the environment.'),
  service_name: z
    .string()
    .min(1)
    .default('dynamic-query')
    .describe('The `service.name` of the traces.'),
  sampler: z
    .enum(SAMPLERS)
    .default('parentbased_traceidratio')
    .describe(
      'Which requests are traced. With `parentbased_…` the `traceparent` of a caller decides, ' +
        'where there is one; the others decide for themselves.',
    ),
  sample_ratio: z
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('Which part of the requests the samplers named `…traceidratio` choose.'),
});

export type TracesSettings = z.output<typeof tracesSettings>;

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
    .optional(),
  headers: named(z.string(), z.string()).default({}),
  service_name: z.string().min(1).default('dynamic-query'),
  sampler: z.enum(SAMPLERS).default('parentbased_traceidratio'),
  sample_ratio: z.number().min(0).max(1).default(1),
});

export type TracesSettings = z.output<typeof tracesSettings>;

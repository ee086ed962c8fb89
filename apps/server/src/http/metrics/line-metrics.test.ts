import { Registry } from 'prom-client';
import { expect, it } from 'vitest';

import { addLineMetrics } from './line-metrics.ts';

it(
  'counts dropped lines and shows what cannot be written, ' +
    'for the log and for the audit where there is one',
  async () => {
    const log = { dropped: 7, failure: new Error('ENOSPC') };
    const both = new Registry();
    addLineMetrics({ log, audit: { dropped: 0, failure: undefined } }, both);
    const text = await both.metrics();
    expect(text).toContain('dynamic_query_lines_dropped_total{output="log"} 7');
    expect(text).toContain('dynamic_query_lines_dropped_total{output="audit"} 0');
    expect(text).toContain('dynamic_query_lines_failing{output="log"} 1');
    expect(text).toContain('dynamic_query_lines_failing{output="audit"} 0');
    const alone = new Registry();
    addLineMetrics({ log, audit: undefined }, alone);
    expect(await alone.metrics()).not.toContain('audit"');
  },
);

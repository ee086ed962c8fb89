import { Registry } from 'prom-client';
import { expect, it } from 'vitest';

import { addRows } from './row.ts';
import { LINES } from './service-rows.ts';

it(
  'counts dropped lines and shows what cannot be written, ' +
    'for the log and for the audit where there is one',
  async () => {
    const logStream = { dropped: 7, failure: new Error('ENOSPC') };
    const both = new Registry();
    const auditLog = { dropped: 0, failure: undefined };
    addRows(both, LINES, () => [[{ logStream, auditLog }, {}]]);
    const text = await both.metrics();
    expect(text).toContain('dynamic_query_lines_dropped_total{output="log"} 7');
    expect(text).toContain('dynamic_query_lines_dropped_total{output="audit"} 0');
    expect(text).toContain('dynamic_query_lines_failing{output="log"} 1');
    expect(text).toContain('dynamic_query_lines_failing{output="audit"} 0');
    const alone = new Registry();
    addRows(alone, LINES, () => [[{ logStream, auditLog: undefined }, {}]]);
    expect(await alone.metrics()).not.toContain('audit"');
  },
);

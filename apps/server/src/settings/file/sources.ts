/** A flag overrides the environment, which overrides the file. */
export interface SettingSource {
  /** The key in the file, from the outermost. */
  readonly path: readonly string[];
  readonly env: string;
  /** Secrets have no flag: other users of the machine can read command lines. */
  readonly flag?: string;
  /** What the flag means without a value. */
  readonly bare?: string;
  /** How to read the text, where the file would hold no text. */
  readonly kind?: 'number' | 'boolean' | 'list';
}

type Row = readonly [key: string, env: string, more?: Omit<SettingSource, 'path' | 'env'>];

const ROWS: readonly Row[] = [
  ['database', 'DATABASE_URL', { flag: 'database' }],
  ['files', 'FILES', { flag: 'files' }],
  ['startup', 'STARTUP', { flag: 'startup' }],
  ['pooler', 'POOLER', { flag: 'pooler' }],
  ['follow', 'FOLLOW', { flag: 'follow', bare: 'true', kind: 'boolean' }],
  ['follow.url', 'FOLLOW_URL'],
  ['replicas', 'REPLICAS', { kind: 'list' }],
  ['host', 'HOST', { flag: 'host' }],
  ['port', 'PORT', { flag: 'port', kind: 'number' }],
  ['workers', 'WORKERS', { flag: 'workers', kind: 'number' }],
  ['expose', 'EXPOSE', { flag: 'expose' }],
  ['verify_keys', 'VERIFY_KEYS', { flag: 'verify-keys', bare: 'start' }],
  ['token', 'DYNAMIC_QUERY_ADMIN_TOKEN'],
  ['log_level', 'LOG_LEVEL', { flag: 'log-level' }],
  ['log_values', 'LOG_VALUES', { flag: 'log-values', bare: 'true', kind: 'boolean' }],
  ['audit', 'AUDIT', { flag: 'audit' }],
  ['audit_failure', 'AUDIT_FAILURE', { flag: 'audit-failure' }],
  ['metrics.host', 'METRICS_HOST', { flag: 'metrics-host' }],
  ['metrics.port', 'METRICS_PORT', { flag: 'metrics-port', kind: 'number' }],
  ['traces.endpoint', 'OTEL_EXPORTER_OTLP_ENDPOINT', { flag: 'traces-endpoint' }],
  ['traces.service_name', 'OTEL_SERVICE_NAME', { flag: 'traces-service-name' }],
  ['traces.sampler', 'OTEL_TRACES_SAMPLER', { flag: 'traces-sampler' }],
  [
    'traces.sample_ratio',
    'OTEL_TRACES_SAMPLER_ARG',
    { flag: 'traces-sample-ratio', kind: 'number' },
  ],
  ['limits.max_page_size', 'MAX_PAGE_SIZE', { flag: 'max-page-size', kind: 'number' }],
  ['limits.max_up_to', 'MAX_UP_TO', { flag: 'max-up-to', kind: 'number' }],
  ['limits.max_reply_bytes', 'MAX_REPLY_BYTES', { flag: 'max-reply-bytes', kind: 'number' }],
  ['limits.query_timeout_ms', 'QUERY_TIMEOUT_MS', { flag: 'query-timeout-ms', kind: 'number' }],
  ['limits.exports', 'EXPORTS', { flag: 'exports', kind: 'number' }],
  ['limits.export_timeout_ms', 'EXPORT_TIMEOUT_MS', { flag: 'export-timeout-ms', kind: 'number' }],
  ['limits.index_build_ms', 'INDEX_BUILD_MS', { flag: 'index-build-ms', kind: 'number' }],
  ['limits.drain_ms', 'DRAIN_MS', { flag: 'drain-ms', kind: 'number' }],
];

/** THE table of settings that need no file. */
export const SETTING_SOURCES: readonly SettingSource[] = ROWS.map(([key, env, more]) => ({
  path: key.split('.'),
  env,
  ...more,
}));

/** Such as `DATABASE_URL` of `database`. */
export function variableOf(setting: string): string {
  return sourceOf(setting).env;
}

/** Such as `--metrics-port` of `metrics.port`. */
export function flagOf(setting: string): string {
  return `--${sourceOf(setting).flag}`;
}

/** Where callers keep their token. The service does not read its admin token (`token`) from it. */
export const CALLER_TOKEN_VARIABLE = 'DYNAMIC_QUERY_TOKEN';

export const FILE_VARIABLE = 'CONFIG';

function sourceOf(setting: string): SettingSource {
  const source = SETTING_SOURCES.find(({ path }) => path.join('.') === setting);
  if (source === undefined) throw new Error(`${setting} has no environment variable.`);
  return source;
}

/**
 * Where else a setting may come from. A flag wins over the environment, which wins over the file.
 */
export interface SettingSource {
  /** The key in the file, from the outermost. */
  readonly path: readonly string[];
  readonly env: string;
  /**
   * The command-line flag; a secret has none, because other users of the machine can read the
   * command line.
   */
  readonly flag?: string;
  /** What the flag means without a value. */
  readonly bare?: string;
  /** What the text is read as, where the file would hold no text. */
  readonly kind?: 'number' | 'boolean' | 'list';
}

/** THE table of settings that need no file. */
export const SETTING_SOURCES: readonly SettingSource[] = [
  { path: ['database'], env: 'DATABASE_URL', flag: 'database' },
  { path: ['startup'], env: 'STARTUP', flag: 'startup' },
  { path: ['pooler'], env: 'POOLER', flag: 'pooler' },
  { path: ['follow'], env: 'FOLLOW', flag: 'follow', bare: 'true', kind: 'boolean' },
  { path: ['follow', 'url'], env: 'FOLLOW_URL' },
  { path: ['replicas'], env: 'REPLICAS', kind: 'list' },
  { path: ['host'], env: 'HOST', flag: 'host' },
  { path: ['port'], env: 'PORT', flag: 'port', kind: 'number' },
  { path: ['workers'], env: 'WORKERS', flag: 'workers', kind: 'number' },
  { path: ['expose'], env: 'EXPOSE', flag: 'expose' },
  { path: ['verify_keys'], env: 'VERIFY_KEYS', flag: 'verify-keys', bare: 'start' },
  { path: ['token'], env: 'DYNAMIC_QUERY_ADMIN_TOKEN' },
  { path: ['log_level'], env: 'LOG_LEVEL', flag: 'log-level' },
  { path: ['log_values'], env: 'LOG_VALUES', flag: 'log-values', bare: 'true', kind: 'boolean' },
  { path: ['audit'], env: 'AUDIT', flag: 'audit' },
  { path: ['audit_failure'], env: 'AUDIT_FAILURE', flag: 'audit-failure' },
  { path: ['metrics', 'host'], env: 'METRICS_HOST', flag: 'metrics-host' },
  { path: ['metrics', 'port'], env: 'METRICS_PORT', flag: 'metrics-port', kind: 'number' },
  {
    path: ['traces', 'endpoint'],
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    flag: 'traces-endpoint',
  },
  { path: ['traces', 'service_name'], env: 'OTEL_SERVICE_NAME', flag: 'traces-service-name' },
  { path: ['traces', 'sampler'], env: 'OTEL_TRACES_SAMPLER', flag: 'traces-sampler' },
  {
    path: ['traces', 'sample_ratio'],
    env: 'OTEL_TRACES_SAMPLER_ARG',
    flag: 'traces-sample-ratio',
    kind: 'number',
  },
  {
    path: ['limits', 'max_page_size'],
    env: 'MAX_PAGE_SIZE',
    flag: 'max-page-size',
    kind: 'number',
  },
  { path: ['limits', 'max_up_to'], env: 'MAX_UP_TO', flag: 'max-up-to', kind: 'number' },
  {
    path: ['limits', 'max_reply_bytes'],
    env: 'MAX_REPLY_BYTES',
    flag: 'max-reply-bytes',
    kind: 'number',
  },
  {
    path: ['limits', 'query_timeout_ms'],
    env: 'QUERY_TIMEOUT_MS',
    flag: 'query-timeout-ms',
    kind: 'number',
  },
  { path: ['limits', 'exports'], env: 'EXPORTS', flag: 'exports', kind: 'number' },
  {
    path: ['limits', 'export_timeout_ms'],
    env: 'EXPORT_TIMEOUT_MS',
    flag: 'export-timeout-ms',
    kind: 'number',
  },
  {
    path: ['limits', 'index_build_ms'],
    env: 'INDEX_BUILD_MS',
    flag: 'index-build-ms',
    kind: 'number',
  },
  { path: ['limits', 'drain_ms'], env: 'DRAIN_MS', flag: 'drain-ms', kind: 'number' },
];

/** The environment variable of a setting, such as `DATABASE_URL` of `database`. */
export function variableOf(setting: string): string {
  return sourceOf(setting).env;
}

/** The flag of a setting, such as `--metrics-port` of `metrics.port`. */
export function flagOf(setting: string): string {
  return `--${sourceOf(setting).flag}`;
}

/**
 * The environment variable in which callers keep their token. The service does not read its own
 * admin token (`token`) from it.
 */
export const CALLER_TOKEN_VARIABLE = 'DYNAMIC_QUERY_TOKEN';

/** The environment variable that names the settings file. */
export const FILE_VARIABLE = 'CONFIG';

function sourceOf(setting: string): SettingSource {
  const source = SETTING_SOURCES.find(({ path }) => path.join('.') === setting);
  if (source === undefined) throw new Error(`${setting} has no environment variable.`);
  return source;
}

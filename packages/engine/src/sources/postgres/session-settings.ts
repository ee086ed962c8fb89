/** Settings of a session, or of a transaction, by name. */
export type SessionSettings = ReadonlyMap<string, string>;

/**
 * What every statement runs under, where the server knows the setting: a role or a database may
 * have others, which would cost exactness.
 */
export const STATEMENT_SETTINGS: SessionSettings = new Map([
  // Behind a table that somebody alters, queries must not queue up.
  ['lock_timeout', '2000'],
  // The server notices by itself that a caller's connection is gone, and stops the statement.
  ['client_connection_check_interval', '1000'],
  // A page has an expression for each attribute; compiling them takes longer than running them.
  ['jit', 'off'],
  ['timezone', 'UTC'],
  ['datestyle', 'ISO, MDY'],
  ['intervalstyle', 'postgres'],
  ['extra_float_digits', '1'],
  ['bytea_output', 'hex'],
  ['standard_conforming_strings', 'on'],
]);

/** Means nothing to the server. A session that has it was started with our settings. */
export const MARKER = 'dynamic_query.session';

/** What a session is set to beside, where it is ours alone. */
export const OWN_SESSION_SETTINGS: SessionSettings = new Map([
  ['default_transaction_read_only', 'on'],
  [MARKER, 'on'],
]);

/**
 * The start-up parameter `options`, by which a session has its settings from its first moment:
 * https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNECT-OPTIONS
 *
 * @param options those of the operator, over which ours win
 */
export function startUpOptions(settings: SessionSettings, options = ''): string {
  const ours = [...settings].map(
    ([name, value]) => `-c ${name}=${value.replaceAll(/[\\ ]/g, String.raw`\$&`)}`,
  );
  return [options, ...ours].join(' ').trim();
}

/**
 * Opens a transaction that reads one snapshot, with settings that end with it. `set` takes no
 * snapshot, so that locks may come first.
 */
export function beginStatement(settings: SessionSettings): string {
  const set = [...settings].map(([name, value]) => `; set local ${name} = '${value}'`);
  return `begin isolation level repeatable read read only${set.join('')}`;
}

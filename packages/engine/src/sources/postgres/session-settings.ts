import type { Client } from 'pg';

/** How much later than the engine the database itself stops a statement. */
const BACKSTOP_MS = 1000;

/** What every session is set to, where the server knows the setting. */
const SETTINGS = {
  default_transaction_read_only: 'on',
  // Behind a table that somebody alters, queries must not queue up.
  lock_timeout: '2000',
  // The server notices by itself that a caller's connection is gone, and stops the statement.
  client_connection_check_interval: '1000',
  // A page has an expression for each attribute; compiling them takes longer than running them.
  jit: 'off',
  timezone: 'UTC',
  datestyle: 'ISO, MDY',
  intervalstyle: 'postgres',
  extra_float_digits: '1',
  bytea_output: 'hex',
  standard_conforming_strings: 'on',
} as const;

const SET_THOSE_KNOWN = `
  select set_config(s.name, v.value, false)
  from unnest($1::text[], $2::text[]) as v (name, value)
  join pg_catalog.pg_settings as s on lower(s.name) = v.name`;

/** Sets a new session up. A server that lacks a setting, or refuses it, does without. */
export async function setUpSession(client: Client): Promise<void> {
  try {
    await client.query(SET_THOSE_KNOWN, [Object.keys(SETTINGS), Object.values(SETTINGS)]);
  } catch {
    for (const [name, value] of Object.entries(SETTINGS)) await setQuietly(client, name, value);
  }
}

/** Makes the database stop statements by itself, a little after the engine would. */
export async function setBackstop(client: Client, timeoutMs: number): Promise<void> {
  await setQuietly(client, 'statement_timeout', String(Math.ceil(timeoutMs) + BACKSTOP_MS));
}

async function setQuietly(client: Client, name: string, value: string): Promise<void> {
  try {
    await client.query('select set_config($1, $2, false)', [name, value]);
  } catch (error) {
    if (client.connection.stream.destroyed) throw error;
  }
}

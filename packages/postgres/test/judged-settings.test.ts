import { describe, expect, it } from 'vitest';

import { RELIED_SETTINGS } from '../src/connection/settings.ts';
import { usePostgres } from './server.ts';

/** Categories of `pg_settings`, or what they begin with, none of whose settings changes a reply. */
const CATEGORIES = new Map([
  ['Query Tuning', 'decides by which plan rows are found, and what goes by their order varies'],
  ['Resource Usage', 'bounds what a statement takes: beyond it there is an error, or it is slower'],
  ['Reporting and Logging', 'concerns the log of the server'],
  ['Statistics', 'concerns what the server counts of itself, and relations that show it vary'],
  ['Vacuuming', 'concerns how rows are removed that nobody sees'],
  ['Write-Ahead Log', 'concerns how writes are kept'],
  ['Lock Management', 'decides when a deadlock is looked for'],
  ['Replication', 'concerns connections that are sent the log; ours say theirs'],
  ['File Locations', 'decides where files of extensions are'],
  ['Connections and Authentication / Authentication', 'decides how passwords are stored'],
]);

/** Settings of other categories that are left as they are. */
const JUDGED = [
  ['lc_messages', 'the words of errors'],
  ['icu_validation_level', 'creates collations'],
  ['client_min_messages', 'notices, which nobody reads'],
  ['escape_string_warning', 'a notice'],
  [
    'tcp_keepalives_count tcp_keepalives_idle tcp_keepalives_interval tcp_user_timeout',
    'when a connection counts as lost',
  ],
  ['dynamic_library_path extension_control_path', 'where extensions are: without them an error'],
  ['local_preload_libraries session_preload_libraries', 'what the operator has loaded for views'],
  [
    'check_function_bodies createrole_self_grant default_table_access_method default_tablespace ' +
      'default_toast_compression event_triggers gin_pending_list_limit',
    'what is created or written, which we never do',
  ],
  ['session_replication_role', 'triggers, and rules of writes: those of views are always followed'],
  ['lo_compat_privileges', 'rights to large objects, which the administrator gives'],
  [
    'vacuum_failsafe_age vacuum_freeze_min_age vacuum_freeze_table_age ' +
      'vacuum_multixact_failsafe_age vacuum_multixact_freeze_min_age vacuum_multixact_freeze_table_age',
    'as Vacuuming, before PostgreSQL 18',
  ],
  ['temp_tablespaces', 'where large sorts are kept'],
  ['synchronize_seqscans', 'the order in which rows are found: what goes by it varies'],
  ['default_transaction_deferrable', 'serializable transactions, which we never begin'],
  [
    'transaction_isolation transaction_read_only transaction_deferrable',
    'a single transaction, whose `begin` says it',
  ],
  ['statement_timeout', 'set with the time limit of each query'],
  [
    'idle_in_transaction_session_timeout idle_session_timeout transaction_timeout ' +
      'restrict_nonsystem_relation_kind',
    'limits of an administrator, which make an error of a reply and never cut it',
  ],
  [
    'ignore_checksum_failure zero_damaged_pages composite_type_mismatch',
    'leave rows out or show wrong values, of which `check` warns',
  ],
  [
    'allow_in_place_tablespaces allow_system_table_mods wal_consistency_checking',
    'as what is created or written',
  ],
  [
    'backtrace_functions jit_dump_bitcode trace_notify trace_sort',
    'what is written to the log, or beside it',
  ],
  ['debug_discard_caches jit_expressions jit_tuple_deforming', 'how expressions are run'],
  ['debug_parallel_query force_parallel_mode', 'as Query Tuning'],
  [
    'debug_logical_replication_streaming',
    'how large transactions reach the feed, which takes them whole',
  ],
] as const;

/** But those of extensions, and those with names that an operator has made. */
const LISTED = `select coalesce(json_agg(json_build_object('name', name, 'category', category)), '[]')
  from pg_settings where context in ('user', 'superuser') and category <> 'Customized Options'`;

describe('each setting of PostgreSQL that a client or a role may change', () => {
  const database = usePostgres('');

  it('is set in connection/settings.ts, or judged here to change no reply', async () => {
    const relied = new Set(RELIED_SETTINGS.map(({ name }) => name));
    const judged = new Set(JUDGED.flatMap(([names]) => names.split(' ')));
    const listed = JSON.parse(await database().client(LISTED)) as Record<
      'name' | 'category',
      string
    >[];
    const unknown = listed.filter(
      ({ name, category }) =>
        !relied.has(name.toLowerCase()) &&
        !judged.has(name) &&
        ![...CATEGORIES.keys()].some((begin) => category.startsWith(begin)),
    );
    expect(listed.length).toBeGreaterThan(100);
    expect(
      unknown,
      'Judge each: set it in connection/settings.ts where it changes a reply, or name it here with a reason.',
    ).toEqual([]);
    expect([...judged].filter((name) => relied.has(name))).toEqual([]);
  });
});

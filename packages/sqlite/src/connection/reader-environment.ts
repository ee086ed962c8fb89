/**
 * What a reader needs of the server's environment: time zone and folders of temporary files for
 * SQLite, the rest for starting Node quickly. All else stays behind, since it may hold secrets that
 * are none of a reader's business.
 */
const NAMES = [
  'TZ',
  'SQLITE_TMPDIR',
  'TMPDIR',
  'TEMP',
  'TMP',
  'NODE_COMPILE_CACHE',
  'LD_LIBRARY_PATH',
  'SystemRoot',
];

/**
 * What a reader allocates is of no use after the next records. Without a limit, in MiB, V8 lets the
 * young part of the heap grow to 192 MiB while a whole list is read. An option in the environment
 * reaches single executable applications too.
 */
const NODE_OPTIONS = '--max-semi-space-size=4';

/** The environment of a reader, from that of the server. */
export function readerEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const inherited = NAMES.flatMap((name) =>
    environment[name] === undefined ? [] : [[name, environment[name]]],
  );
  return { ...Object.fromEntries(inherited), NODE_OPTIONS };
}

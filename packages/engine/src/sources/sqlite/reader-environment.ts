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

export function readerEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    NAMES.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])),
  );
}

/** For SQLite's time zone and temporary folders, and Node's start. Others may hold secrets. */
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

/** In MiB; V8's default lets garbage grow to 192. Single executables read the environment, too. */
const NODE_OPTIONS = '--max-semi-space-size=4';

export function readerEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const inherited = NAMES.flatMap((name) =>
    environment[name] === undefined ? [] : [[name, environment[name]]],
  );
  return { ...Object.fromEntries(inherited), NODE_OPTIONS };
}

import { fileURLToPath } from 'node:url';

/** Runs as a process of its own. */
export interface ProgramPart {
  /** For a single executable application, which has no files. */
  readonly name: string;
  readonly file: URL;
}

/** No argument of an operator begins so. */
const PREFIX = 'dynamic-query:';

/** @param execArgv the options of Node. Default: those of this process. */
export function ownProgram(part: ProgramPart, execArgv: string[] = process.execArgv) {
  // Not imported: Bun has no such module.
  return process.getBuiltinModule('node:sea')?.isSea()
    ? { module: PREFIX + part.name, execArgv: [] }
    : { module: fileURLToPath(part.file), execArgv };
}

/** Undefined for the operator's command. Arguments are then where a file's would be. */
export function takeProgramPart(): string | undefined {
  // Node repeats the program's path in place of the file's.
  const name = process.argv[2];
  if (process.send === undefined || !name?.startsWith(PREFIX)) return undefined;
  process.argv.splice(1, 1);
  return name.slice(PREFIX.length);
}

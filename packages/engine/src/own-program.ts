import { isSea } from 'node:sea';
import { fileURLToPath } from 'node:url';

/** A part of this program that runs as a process of its own. */
export interface ProgramPart {
  /** Its name where the program is a single executable application, which has no files. */
  readonly name: string;
  /** Its file everywhere else. */
  readonly file: URL;
}

/** What `fork` of `node:child_process` starts a part with. */
export interface OwnProgram {
  readonly module: string;
  readonly execArgv: string[];
}

/** No argument of an operator begins so. */
const PREFIX = 'dynamic-query:';

/**
 * How this program starts a part of itself. A single executable application gets the name as its
 * first argument; the options of Node are built into it.
 *
 * @param execArgv the options of Node. Default: those of this process.
 */
export function ownProgram(part: ProgramPart, execArgv: string[] = process.execArgv): OwnProgram {
  return isSea()
    ? { module: PREFIX + part.name, execArgv: [] }
    : { module: fileURLToPath(part.file), execArgv };
}

/**
 * The name of the part that this process of a single executable application was started as;
 * undefined for the operator's command. The part then finds its arguments in `process.argv` where a
 * file of its own would find them.
 */
export function takeProgramPart(): string | undefined {
  // Node repeats the program's path in place of the file's.
  const name = process.argv[2];
  if (process.send === undefined || !name?.startsWith(PREFIX)) return undefined;
  process.argv.splice(1, 1);
  return name.slice(PREFIX.length);
}

/** What the commands of this project share: the service, output, errors and exit codes. */
export { baseProgram, withUsageErrors } from './base-program.ts';
export { type Connection, type ConnectionFlags, readConnection } from './service/service.ts';
export { EXIT, FailedError, Interruption, UsageError } from './failure.ts';
export { joinCommas, withConnection } from './flags/flags.ts';
export { putJson, wantsJson } from './output/present.ts';
export { printable } from './output/printable.ts';
export { runProcess } from './terminal/run-process.ts';
export { runProgram } from './run.ts';
export { put, type Session, takesColour, type Terminal } from './terminal/terminal.ts';

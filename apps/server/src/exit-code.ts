/** THE table of exit codes of the operator's command; they mean what those of `dq` mean. */
export const EXIT = {
  ok: 0,
  /**
   * The database or the server refused or could not answer, the settings do not fit the database,
   * or a file or a port could not be opened.
   */
  failed: 1,
  /** The command line, the environment or the settings file is wrong; nothing was asked for. */
  usage: 2,
  /** `check --prove-state` proves nothing: what it would have found was not to be seen. */
  unproved: 3,
} as const;

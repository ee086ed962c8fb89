/** THE table of exit codes; the README lists them. */
export const EXIT = {
  ok: 0,
  /** The service refused or could not answer, or a file could not be written. */
  failed: 1,
  /** The command line, filter or configuration is wrong; no request was sent. */
  usage: 2,
  /** `dq types --check`: the types are not those of the catalogue. */
  outdated: 3,
  /** Ctrl-C: 128 + SIGINT. */
  interrupted: 130,
  /** The reader of the output went away: 128 + SIGPIPE. */
  outputClosed: 141,
  /** 128 + SIGTERM. */
  terminated: 143,
} as const;

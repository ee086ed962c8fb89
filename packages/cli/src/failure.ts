/** The command line, filter or configuration is wrong. The message says what to write instead. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}

export class UnknownAttributeError extends UsageError {
  override readonly name = 'UnknownAttributeError';
  readonly attribute: string;

  constructor(attribute: string, message: string) {
    super(message);
    this.attribute = attribute;
  }

  /** Adds to the first line; the lines below point at a place. */
  with(more: string): UnknownAttributeError {
    return new UnknownAttributeError(
      this.attribute,
      this.message.replace(/\n|$/, (end) => more + end),
    );
  }
}

/** The message says what to do next. */
export class FailedError extends Error {
  override readonly name = 'FailedError';
}

/** What was checked is no longer true. The message says how to renew it. */
export class OutdatedError extends Error {
  override readonly name = 'OutdatedError';
}

export class Interruption extends Error {
  override readonly name = 'Interruption';
  /** 128 and the number of the signal. */
  readonly exitCode: number;

  constructor(exitCode: number) {
    super('interrupted');
    this.exitCode = exitCode;
  }
}

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

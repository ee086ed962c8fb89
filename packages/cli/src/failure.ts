/** The command line, the filter expression or the configuration is wrong. The message says what to write instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command could not do what it was told. The message says what to do next. */
export class FailedError extends Error {
  override readonly name = 'FailedError';
}

/** A signal asked the process to stop. */
export class Interruption extends Error {
  override readonly name = 'Interruption';
  /** 128 and the number of the signal. */
  readonly exitCode: number;

  constructor(exitCode: number) {
    super('interrupted');
    this.exitCode = exitCode;
  }
}

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

/** An error at one place of a filter expression. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
  /** In UTF-16 units from the start of the text. */
  readonly at: number;
  /** The name that the model lacks, where that is the error. */
  readonly unknown: string | undefined;

  constructor(at: number, message: string, unknown?: string) {
    super(message);
    this.at = at;
    this.unknown = unknown;
  }
}

/** A grid asks for a record to be written, which the service never does. */
export class ReadOnlyError extends Error {
  override readonly name = 'ReadOnlyError';
  /** The method that was called, such as `update`. */
  readonly method: string;

  constructor(grid: string, method: string) {
    super(
      `${grid}: ${method}: Dynamic Query only reads. Leave out the pages and buttons that ` +
        'create, edit or delete, or give them a data provider that writes.',
    );
    this.method = method;
  }
}

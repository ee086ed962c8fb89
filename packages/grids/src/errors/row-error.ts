/** A record has no name that a grid can know it by, or none has the name that a grid asks for. */
export class RowError extends Error {
  override readonly name = 'RowError';
  /** 404 where there is no such record, as react-admin and Refine look for it; otherwise 400. */
  readonly status: 400 | 404;
  readonly statusCode: 400 | 404;

  constructor(status: 400 | 404, message: string) {
    super(message);
    this.status = status;
    this.statusCode = status;
  }
}

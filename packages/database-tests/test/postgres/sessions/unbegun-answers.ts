/** How a server answered reads of transactions that never began. */
export interface UnbegunAnswers {
  /** The login may not read what was asked for. */
  denied: number;
  /** The statement found that it was not part of its read. */
  unrecognized: number;
  /** Rows of several tenants left the server. */
  shown: number;
}

/** The code and the words of the errors that are counted. */
const DENIED = '42501';
const UNREAD = '22P02';
const CALLER = 'dynamic_query.caller';

/** What an error field begins with that has the SQLSTATE, and one that has the words. */
const [CODE, WORDS] = ['C', 'M'];

/**
 * The messages of a server to one client:
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
export class ServerMessages {
  readonly #answers: UnbegunAnswers;
  #rest = Buffer.alloc(0);

  constructor(answers: UnbegunAnswers) {
    this.#answers = answers;
  }

  /**
   * Takes what has arrived.
   *
   * @param isCounted whether the transaction of the client never began
   */
  take(chunk: Buffer, isCounted: boolean): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    while (this.#rest.length >= 5) {
      const length = 1 + this.#rest.readInt32BE(1);
      if (this.#rest.length < length) return;
      const type = this.#rest.toString('latin1', 0, 1);
      if (isCounted) this.#count(type, this.#rest.toString('utf8', 5, length));
      this.#rest = this.#rest.subarray(length);
    }
  }

  #count(type: string, text: string): void {
    if (type === 'D' && new Set(text.match(/\bt\d\b/g)).size > 1) this.#answers.shown += 1;
    if (type !== 'E') return;
    const fields = new Map(text.split('\0').map((field) => [field.slice(0, 1), field.slice(1)]));
    const code = fields.get(CODE);
    if (code === DENIED) this.#answers.denied += 1;
    if (code === UNREAD && fields.get(WORDS)?.includes(CALLER) === true)
      this.#answers.unrecognized += 1;
  }
}

import { close, write, writeSync } from 'node:fs';
import { promisify } from 'node:util';

const closeFile = promisify(close);

export interface LineWriterOptions {
  /** The open file or pipe to append to; asked before each write, as it may be replaced. */
  readonly fd: () => number;
  /** Size of waiting lines that triggers a write. */
  readonly enoughBytes: number;
  /** Time for more lines, or between attempts, in milliseconds. */
  readonly waitMs: number;
  /** Lines beyond are dropped and counted. */
  readonly maxBytes: number;
  /** Called once when lines cannot be written, or too many wait. */
  readonly onFailure: (error: Error) => void;
  /** After a failure all is written, except dropped lines. */
  readonly onRecovery: (dropped: number) => void;
}

/** Standard output and standard error stay open for others. */
const LAST_STANDARD_FD = 2;

const LINE_FEED = 0x0a;

/** Appends in the background. Neither blocks nor throws: unwritten lines wait, or are dropped. */
export class LineWriter {
  dropped = 0;
  readonly #options: LineWriterOptions;
  #fd: number;
  #lines: (string | Uint8Array)[] = [];
  #part: Buffer = Buffer.alloc(0);
  /** Its rest then follows in the same file. */
  #isPartBegun = false;
  #writing = false;
  #timer: NodeJS.Timeout | undefined;
  #waiting = 0;
  #droppedBefore = 0;
  #failure: Error | undefined;
  #whenWritten: (() => void)[] = [];
  #closed = false;

  constructor(options: LineWriterOptions) {
    this.#options = options;
    this.#fd = options.fd();
  }

  /** Why lines cannot be written; undefined while they can. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** @param lines whole lines, each with a line feed; bytes are written unchanged */
  write(lines: string | Uint8Array): void {
    const { maxBytes, enoughBytes } = this.#options;
    const bytes = Buffer.byteLength(lines);
    if (this.#closed) return;
    if (this.#waiting + bytes > maxBytes) {
      this.dropped += countLines(lines);
      this.#fail(new Error(`More than ${maxBytes} bytes wait to be written.`));
      return;
    }
    this.#lines.push(lines);
    this.#waiting += bytes;
    if (this.#waiting >= enoughBytes && this.#failure === undefined) this.#writePart();
    else this.#writeLater();
  }

  /** Resolves when everything is written, or after the time limit. */
  async flush(limitMs: number): Promise<void> {
    if (this.#waiting === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#whenWritten.push(resolve);
    const timer = setTimeout(resolve, limitMs);
    this.#writePart();
    await promise;
    clearTimeout(timer);
  }

  /** Writes what it can within the time limit, and closes the file. Drops later lines. */
  async close(limitMs: number): Promise<void> {
    await this.flush(limitMs);
    this.#closed = true;
    clearTimeout(this.#timer);
    // Otherwise a pending write could hit another file with the closed descriptor.
    if (!this.#writing) await this.#closeFile();
  }

  /** One attempt to write what waits, for a process that ends now. */
  writeNow(): void {
    const part = this.#writing ? Buffer.alloc(0) : this.#part;
    const rest = Buffer.concat([part, bytesOf(this.#lines)]);
    try {
      if (rest.length > 0) writeSync(this.#fd, rest);
    } catch {
      // The process ends, so the error cannot be reported.
    }
  }

  async #closeFile(): Promise<void> {
    if (this.#fd > LAST_STANDARD_FD) await closeFile(this.#fd).catch(this.#options.onFailure);
  }

  #writeLater(): void {
    this.#timer ??= setTimeout(() => this.#writePart(), this.#options.waitMs).unref();
  }

  #writePart(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#writing || this.#waiting === 0) return;
    if (this.#part.length === 0) this.#part = bytesOf(this.#lines.splice(0));
    if (!this.#isPartBegun) this.#fd = this.#options.fd();
    this.#writing = true;
    write(this.#fd, this.#part, (error, written) => this.#attempted(error, written));
  }

  #attempted(error: NodeJS.ErrnoException | null, written: number): void {
    this.#writing = false;
    if (this.#closed) {
      void this.#closeFile();
      return;
    }
    if (error !== null) {
      // EAGAIN: the pipe is full for now, no failure until lines are dropped.
      if (error.code !== 'EAGAIN') this.#fail(error);
      this.#writeLater();
      return;
    }
    this.#part = this.#part.subarray(written);
    this.#isPartBegun = this.#part.length > 0;
    this.#waiting -= written;
    const isAwaited = this.#whenWritten.length > 0 || this.#failure !== undefined;
    if (this.#waiting === 0) this.#allWritten();
    else if (isAwaited || this.#part.length > 0 || this.#waiting >= this.#options.enoughBytes)
      this.#writePart();
    else this.#writeLater();
  }

  #allWritten(): void {
    for (const resolve of this.#whenWritten.splice(0)) resolve();
    if (this.#failure === undefined) return;
    this.#failure = undefined;
    const dropped = this.dropped - this.#droppedBefore;
    this.#droppedBefore = this.dropped;
    this.#options.onRecovery(dropped);
  }

  #fail(error: Error): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    this.#options.onFailure(error);
  }
}

/** Texts of this process, or bytes of workers; few processes have both. */
function bytesOf(lines: readonly (string | Uint8Array)[]): Buffer {
  if (lines.every((line) => typeof line === 'string')) return Buffer.from(lines.join(''));
  return Buffer.concat(lines.map((line) => Buffer.from(line)));
}

function countLines(lines: string | Uint8Array): number {
  return Buffer.from(lines).reduce((count, byte) => (byte === LINE_FEED ? count + 1 : count), 0);
}

import { close, write, writeSync } from 'node:fs';
import { promisify } from 'node:util';

const closeFile = promisify(close);

/** How a file is written. */
export interface LineWriterOptions {
  /** An open file or pipe, to which lines are appended. */
  readonly fd: number;
  /** Lines are written as soon as they take so many bytes together. */
  readonly enoughBytes: number;
  /**
   * How long a line may wait for others, and a failed attempt for the next one, in milliseconds.
   */
  readonly waitMs: number;
  /** How many bytes may wait; lines beyond are dropped and counted. */
  readonly maxBytes: number;
  /** Called once when lines cannot be written, or too many wait. */
  readonly onFailure: (error: Error) => void;
  /**
   * Called when all that waited is written after a failure, with the number of lines that were
   * dropped meanwhile.
   */
  readonly onRecovery: (dropped: number) => void;
}

/** Standard output and standard error stay open for others. */
const LAST_STANDARD_FD = 2;

const LINE_FEED = 0x0a;

/**
 * Appends lines to a file in the background. It neither blocks nor throws: lines that cannot be
 * written wait, or are dropped.
 */
export class LineWriter {
  readonly #options: LineWriterOptions;
  #lines: (string | Uint8Array)[] = [];
  /** What is being written, or has failed to be. */
  #part: Buffer = Buffer.alloc(0);
  #writing = false;
  #timer: NodeJS.Timeout | undefined;
  #waiting = 0;
  #dropped = 0;
  #droppedBefore = 0;
  #failure: Error | undefined;
  #whenWritten: (() => void)[] = [];
  #closed = false;

  constructor(options: LineWriterOptions) {
    this.#options = options;
  }

  /** Why lines cannot be written; undefined while they can. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** How many lines were dropped since the start. */
  get dropped(): number {
    return this.#dropped;
  }

  /** @param lines whole lines, with a line feed at the end; those that come as bytes as they are */
  write(lines: string | Uint8Array): void {
    const { maxBytes, enoughBytes } = this.#options;
    const bytes = Buffer.byteLength(lines);
    if (this.#closed) return;
    if (this.#waiting + bytes > maxBytes) {
      this.#dropped += countLines(lines);
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

  /**
   * Writes what it can within the time limit, and closes the file. Lines that come later are
   * dropped.
   */
  async close(limitMs: number): Promise<void> {
    await this.flush(limitMs);
    this.#closed = true;
    clearTimeout(this.#timer);
    // Wait for a write that is under way: after closing, its file descriptor could be that of
    // another file.
    if (!this.#writing) await this.#closeFile();
  }

  /** One attempt to write what waits, for a process that ends now. */
  writeNow(): void {
    const part = this.#writing ? Buffer.alloc(0) : this.#part;
    const rest = Buffer.concat([part, bytesOf(this.#lines)]);
    try {
      if (rest.length > 0) writeSync(this.#options.fd, rest);
    } catch {
      // The process ends, so the error cannot be reported.
    }
  }

  async #closeFile(): Promise<void> {
    const { fd, onFailure } = this.#options;
    if (fd > LAST_STANDARD_FD) await closeFile(fd).catch(onFailure);
  }

  #writeLater(): void {
    this.#timer ??= setTimeout(() => this.#writePart(), this.#options.waitMs).unref();
  }

  #writePart(): void {
    if (this.#writing || this.#waiting === 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#part.length === 0) this.#part = bytesOf(this.#lines.splice(0));
    this.#writing = true;
    write(this.#options.fd, this.#part, (error, written) => this.#attempted(error, written));
  }

  #attempted(error: NodeJS.ErrnoException | null, written: number): void {
    this.#writing = false;
    if (this.#closed) {
      void this.#closeFile();
      return;
    }
    if (error !== null) {
      // EAGAIN means that the pipe is full at the moment. It counts as a failure only when lines
      // have to be dropped.
      if (error.code !== 'EAGAIN') this.#fail(error);
      this.#writeLater();
      return;
    }
    this.#part = this.#part.subarray(written);
    this.#waiting -= written;
    if (this.#waiting > 0) this.#writePart();
    else this.#allWritten();
  }

  #allWritten(): void {
    for (const resolve of this.#whenWritten.splice(0)) resolve();
    if (this.#failure === undefined) return;
    this.#failure = undefined;
    const dropped = this.#dropped - this.#droppedBefore;
    this.#droppedBefore = this.#dropped;
    this.#options.onRecovery(dropped);
  }

  #fail(error: Error): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    this.#options.onFailure(error);
  }
}

/** Lines of this process are texts, those of workers are bytes; there are both in few processes. */
function bytesOf(lines: readonly (string | Uint8Array)[]): Buffer {
  if (lines.every((line) => typeof line === 'string')) return Buffer.from(lines.join(''));
  return Buffer.concat(lines.map((line) => Buffer.from(line)));
}

function countLines(lines: string | Uint8Array): number {
  return Buffer.from(lines).reduce((count, byte) => (byte === LINE_FEED ? count + 1 : count), 0);
}

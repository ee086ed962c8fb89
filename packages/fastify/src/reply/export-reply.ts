import type { Readable } from 'node:stream';

import type { ExportType, ProblemCode } from '@proj/contract';
import { type ExportedList, QueryFailedError, type RecordLines } from '@proj/engine';

import type { Ask } from '../endpoint/ask.ts';
import { noteFailure } from '../endpoint/problem-answer.ts';
import { HttpProblem } from '../endpoint/problems.ts';
import { TextStream } from './event-stream.ts';
import { type ExportFormat, FORMATS } from './export-formats.ts';
import { LastingReplies, type LastingReply } from './lasting-replies.ts';

export class RunningExports extends LastingReplies<ExportReply> {
  protected override readonly beatMs = 1000;
  /** How many cut exports, by problem code; `cancelled` where the client went away. */
  readonly cut = new Map<ProblemCode | 'cancelled', number>();
  completed = 0;
  /** Sent, also of cut exports. */
  bytes = 0;
}

interface ExportReplyParts extends Pick<LastingReply, 'access'> {
  readonly ask: Ask;
  readonly exports: RunningExports;
}

const OTHER_ACCESS = 'What the token may see has changed since the export began. Ask again.';

/** What is known before the first byte of an export, and its body. */
export class ExportReply implements LastingReply {
  readonly access: LastingReply['access'];
  readonly #type: ExportType;
  readonly #parts: ExportReplyParts;
  readonly #stream = new TextStream();
  readonly #begun = Promise.withResolvers<ExportedList>();
  /** Resolves when the headers are known; rejects when the export fails before. */
  readonly begun = this.#begun.promise;
  readonly body: Readable = this.#stream;
  /** How many were written. */
  records = 0;
  #list: ExportedList | undefined;
  #format: ExportFormat | undefined;
  #isOver = false;
  readonly #stopping = new AbortController();

  constructor(type: ExportType, parts: ExportReplyParts) {
    this.access = parts.access;
    this.#type = type;
    this.#parts = parts;
    // The export may fail before anything reads the body.
    this.#stream.on('error', () => undefined);
  }

  get contentType(): string {
    return this.#format?.contentType ?? this.#type;
  }

  /** Precedes `begin`. @throws {HttpProblem} when the format cannot hold the list */
  async prepare(list: ExportedList): Promise<void> {
    this.#format = await FORMATS[this.#type](list);
    // The export may have failed while the format was loaded.
    if (this.#isOver) void this.#format.close?.();
  }

  async begin(list: ExportedList): Promise<void> {
    const head = await this.#format?.begin?.();
    this.#list = list;
    this.#noteRead();
    void this.#add(head);
    this.#begun.resolve(list);
  }

  async write(lines: RecordLines): Promise<void> {
    const taken = this.#format && this.#add(await this.#format.add(lines));
    this.records += lines.records;
    this.#noteRead();
    await taken;
  }

  /** Ends the body with the export, or cuts it where that fails. */
  async run(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { ask, exports } = this.#parts;
    const { signal } = this.#stopping;
    exports.add(this);
    try {
      await work(AbortSignal.any([ask.signal, signal]));
      if (this.#format !== undefined) void this.#add(await this.#format.end?.());
      this.#stream.finish();
      exports.completed += 1;
    } catch (error) {
      this.#fail(signal.aborted ? signal.reason : error);
    } finally {
      exports.remove(this);
      this.#isOver = true;
      void this.#format?.close?.();
    }
  }

  async beat(): Promise<void> {
    this.access.forget();
    try {
      if (!(await this.access.isSame())) throw new HttpProblem('unauthenticated', OTHER_ACCESS);
    } catch (error) {
      this.#stopping.abort(error);
    }
  }

  stop(): void {
    this.#stopping.abort(new QueryFailedError('shutting_down', 'The service is stopping.'));
  }

  #add(bytes: Uint8Array = new Uint8Array()): Promise<void> | undefined {
    if (bytes.length === 0) return undefined;
    this.#parts.exports.bytes += bytes.length;
    return this.#stream.add(bytes);
  }

  /** Sends a problem before the first byte; afterwards callers only understand a cut. */
  #fail(error: unknown): void {
    const { ask, exports } = this.#parts;
    if (this.#list === undefined) {
      this.#begun.reject(error);
      return;
    }
    const isGone = error instanceof QueryFailedError && error.code === 'cancelled';
    if (!isGone) ask.cutBy = noteFailure(error, ask, 'the export was cut').code;
    const reason = ask.cutBy ?? 'cancelled';
    exports.cut.set(reason, (exports.cut.get(reason) ?? 0) + 1);
    this.#stream.destroy(new Error('The export was cut.'));
  }

  #noteRead(): void {
    const { model = null, models = [], columns = [] } = this.#list ?? {};
    const attributes = columns.map(({ name }) => name);
    const read = { model, models: [...models], attributes };
    this.#parts.ask.read = { ...read, page: null, size: null, rows: this.records };
  }
}

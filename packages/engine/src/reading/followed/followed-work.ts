import { withDeadline } from '../../deadline.ts';
import type {
  FollowedChanges,
  KeySnapshot,
  ReadCall,
  RelationMoment,
} from '../../sources/source.ts';
import { inBackground } from '../../tracing.ts';
import type { FollowedRows } from './followed-rows.ts';

/** How often in a row the feed may be late for a step. */
const MOST_MISSES = 20;

/** Right after following begins, a snapshot may miss earlier writes: what it shows is of no use. */
export const MOST_TRIES = 20;

/** Returns whether there is more to do. */
export type WorkStep = (snapshot: KeySnapshot, moment: RelationMoment) => Promise<boolean>;

/** Works on followed relations in the background, one at a time. */
export class FollowedWork {
  readonly #changes: Pick<FollowedChanges, 'during'>;
  readonly #timeoutMs: number;
  readonly #closing = new AbortController();
  #running: Promise<void> | undefined;
  #step: { readonly name: string; readonly ended: PromiseWithResolvers<void> } | undefined;

  constructor(changes: Pick<FollowedChanges, 'during'>, timeoutMs: number) {
    this.#changes = changes;
    this.#timeoutMs = timeoutMs;
  }

  begin(rows: FollowedRows, step: WorkStep): void {
    if (this.#running !== undefined) return;
    this.#noteStep(rows);
    const work = { kind: 'followed_list', relations: [rows.relation] } as const;
    const limits = { signal: this.#closing.signal, timeoutMs: this.#timeoutMs };
    const run = (): Promise<void> =>
      withDeadline(limits, (call) => this.#repeat(rows, step, call)).catch(() => undefined);
    // Callers get an error when their own pages meet it.
    this.#running = inBackground(work, run).finally(() => {
      this.#running = undefined;
      this.#step?.ended.resolve();
      this.#step = undefined;
    });
  }

  /** When the present or next step ends; undefined for none. */
  stepEnd({ name }: FollowedRows): Promise<void> | undefined {
    const step = this.#step;
    return step?.name === name ? step.ended.promise : undefined;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #repeat(rows: FollowedRows, step: WorkStep, call: ReadCall): Promise<void> {
    const { relation, session } = rows;
    for (let misses = 0; misses < MOST_MISSES;) {
      const done = await this.#changes.during(
        relation,
        async (snapshot, moment) => ({
          version: moment.version,
          hasMore: await step(snapshot, moment),
        }),
        { ...call, session, isBackground: true },
      );
      this.#noteStep(rows);
      if (done?.hasMore === false) return;
      misses = done === undefined ? misses + 1 : 0;
    }
  }

  #noteStep({ name }: FollowedRows): void {
    this.#step?.ended.resolve();
    this.#step = { name, ended: Promise.withResolvers() };
  }
}

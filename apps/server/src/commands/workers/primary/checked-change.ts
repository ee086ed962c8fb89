import type { ReloadCause, Reloaded } from '../../../reload.ts';
import type { SentSettings } from '../../../settings/sent-settings.ts';
import type { WorkerHandle } from '../worker-handle.ts';

/** Settings checked by all workers that answer, and not applied yet. */
export interface CheckedChange {
  readonly note: Reloaded | undefined;
  /** Kills workers that do not answer: they have the old settings. */
  readonly apply: () => Promise<void>;
}

/** Undefined where no worker answers; throws what one of them refuses the settings with. */
export async function checkInWorkers(
  workers: readonly WorkerHandle[],
  change: { readonly settings: SentSettings; readonly cause: ReloadCause },
): Promise<CheckedChange | undefined> {
  const prepared = await Promise.allSettled(workers.map(({ ask }) => ask('prepare', change)));
  const refusal = prepared.find((result, index) => {
    const worker = workers[index];
    return result.status === 'rejected' && worker?.isRunning() === true && !worker.isSilent();
  });
  if (refusal?.status === 'rejected') {
    for (const { channel } of workers) channel.tell('discard', undefined);
    throw refusal.reason;
  }
  const answers = prepared.flatMap((result) =>
    result.status === 'fulfilled' ? [result.value] : [],
  );
  if (answers.length === 0) return undefined;
  return {
    note: answers.find((answer) => answer !== undefined),
    apply: async () => {
      // A worker that cannot apply them is killed; its successor starts with them.
      await Promise.all(
        workers.map(async ({ ask, kill }, index) => {
          if (prepared[index]?.status === 'rejected') kill();
          else await ask('commit', undefined).catch(kill);
        }),
      );
    },
  };
}

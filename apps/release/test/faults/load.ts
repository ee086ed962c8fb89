import { until } from '@proj/test-servers';

import { itemsPage } from '../support/ask.ts';
import type { Service } from '../support/service.ts';

/** Callers who ask for pages of `items` without a pause. */
export interface Load {
  /** Waits for so many more replies. */
  readonly answered: (count: number) => Promise<void>;
  /**
   * Ends it. @returns how often each status came; 0 stands for a reply that is not the page that
   * was asked for.
   */
  readonly stop: () => Promise<ReadonlyMap<number, number>>;
}

/** Starts so many callers. */
export function startLoad(service: Service, callers: number): Load {
  const statuses = new Map<number, number>();
  let answers = 0;
  const ending = new AbortController();
  const call = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      const status = await askOnce(service, answers);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      answers += 1;
    }
  };
  const calls = Array.from({ length: callers }, call);
  return {
    answered: async (count) => {
      const goal = answers + count;
      await until(() => answers >= goal);
    },
    stop: async () => {
      ending.abort();
      await Promise.all(calls);
      return statuses;
    },
  };
}

/** A page of its own each time, whose content shows whether it is the right one. */
async function askOnce(service: Service, turn: number): Promise<number> {
  const page = 1 + (turn % 50);
  const { status, text } = await service.ask(itemsPage({ page: { page, size: 5 } }));
  if (status !== 200) return status;
  return text.includes(`"name":"item ${(page - 1) * 5 + 1}"`) ? 200 : 0;
}

import type { Engine } from '@proj/engine';
import { until } from '@proj/test-servers';

/** What is found wrong with the replicas from now on, one after the other; undefined is nothing. */
export function faultsOf(engine: Engine): (string | undefined)[] {
  const faults: (string | undefined)[] = [];
  engine.replicas?.onChange(({ problem }) => faults.push(problem?.fault));
  return faults;
}

/** Waits until reads may go to all replicas. */
export async function untilUsable(engine: Engine): Promise<void> {
  await until(() => engine.replicas?.replicas.every((one) => one.problem === undefined) === true);
}

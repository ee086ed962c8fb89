import { availableParallelism, cpus, totalmem } from 'node:os';

/** What this machine is, and when and how the run was started. */
export function machineFacts(command: string, databases: readonly string[]) {
  return {
    date: new Date().toISOString().slice(0, 16).replace('T', ' '),
    command,
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    node: process.version,
    databases,
  };
}

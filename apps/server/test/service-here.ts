import { onTestFinished } from 'vitest';

import { openService, type Service } from '../src/service.ts';
import {
  type LoadedSettings,
  loadSettingsWithPlaces,
  type SettingsInput,
} from '../src/settings/file/load.ts';

/** A line of the log. */
export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly reason?: string;
  readonly database?: string;
  readonly status?: number;
  readonly trace_id?: string;
}

/** A service in this process, and what it has logged. */
export interface ServiceHere extends Service {
  readonly load: () => Promise<LoadedSettings>;
  readonly lines: readonly LogLine[];
}

const done = (): Promise<void> => Promise.resolve();

/** Opens the service that settings describe, as `serve` does, which listens nowhere. */
export async function serviceHere(
  { flags, env = {} }: Partial<SettingsInput>,
  atEnd: (close: () => Promise<void>) => void = onTestFinished,
): Promise<ServiceHere> {
  const load = () => loadSettingsWithPlaces({ flags: { ...flags }, env });
  const lines: LogLine[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as LogLine);
  const logStream = { write, dropped: 0, failure: undefined, flush: done, close: done };
  const service = await openService(await load(), { load, logStream });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= service.close());
  atEnd(close);
  return { ...service, close, load, lines };
}

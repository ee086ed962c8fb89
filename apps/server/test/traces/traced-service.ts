import { join } from 'node:path';
import { writeFileSync } from 'node:fs';

import { onTestFinished } from 'vitest';

import { openService } from '../../src/service.ts';
import { loadSettingsWithPlaces } from '../../src/settings/file/load.ts';
import { listen, QUERY_PATH, temporaryDatabase } from '../helper.ts';

export const TOKEN = 'a-token-that-no-trace-shows';

/** A line of the log. */
interface Line {
  readonly level: number;
  readonly msg: string;
  readonly status?: number;
  readonly trace_id?: string;
}

const done = (): Promise<void> => Promise.resolve();

/**
 * A service over SQLite whose traces go to a collector.
 *
 * @param settings members of `traces`
 * @param more lines of the settings file
 */
export async function startTraced(endpoint: string, settings = '', more = '') {
  const { directory, file } = temporaryDatabase();
  const config = join(directory, 'settings.yaml');
  writeFileSync(
    config,
    `database: sqlite:${file}\nexpose: all\ntraces: { endpoint: "${endpoint}"${settings} }\n${more}`,
  );
  const env = { DYNAMIC_QUERY_ADMIN_TOKEN: TOKEN };
  const load = () => loadSettingsWithPlaces({ flags: { config }, env });
  const lines: Line[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as Line);
  const logStream = { write, dropped: 0, failure: undefined, flush: done, close: done };
  const service = await openService(await load(), { load, logStream });
  let closing: Promise<void> | undefined;
  /** Sends the spans that wait for others, too. */
  const close = (): Promise<void> => (closing ??= service.close());
  onTestFinished(close);
  const origin = `http://127.0.0.1:${await listen(service.app)}`;
  const ask = (
    body: unknown,
    headers: Record<string, string> = {},
    method: 'POST' | 'QUERY' = 'POST',
  ): Promise<Response> =>
    fetch(`${origin}${QUERY_PATH}?secret=parameter`, {
      method,
      headers: {
        authorization: `Bearer ${TOKEN}`,
        'content-type': 'application/json',
        'user-agent': 'a-user-agent-that-no-trace-shows',
        ...headers,
      },
      body: JSON.stringify(body),
    });
  return { ...service, close, origin, ask, lines, file };
}

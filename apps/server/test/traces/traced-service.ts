import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import { CITIES, listen, makeDatabase, QUERY_PATH } from '../helper.ts';
import { serviceHere } from '../service-here.ts';

export const TOKEN = 'a-token-that-no-trace-shows';

/** What calls something when that which it was opened for has ended. */
export type AtEnd = (end: () => void | Promise<void>) => void;

/** How a service is traced. */
interface TracedOptions {
  /** Members of `traces`, behind a comma. */
  readonly settings?: string;
  /** More lines of the settings file. */
  readonly more?: string;
  readonly atEnd?: AtEnd;
}

/** A service over SQLite whose traces go to a collector; it ends with the test unless that is said. */
export async function startTraced(
  endpoint: string,
  { settings = '', more = '', atEnd = onTestFinished }: TracedOptions = {},
) {
  const { directory, file } = makeDatabase(CITIES);
  atEnd(() => rmSync(directory, { recursive: true, force: true }));
  const config = join(directory, 'settings.yaml');
  writeFileSync(
    config,
    `database: sqlite:${file}\nexpose: all\ntraces: { endpoint: "${endpoint}"${settings} }\n${more}`,
  );
  const env = { DYNAMIC_QUERY_ADMIN_TOKEN: TOKEN };
  // Closing it sends the spans that wait for others, too.
  const service = await serviceHere({ flags: { config }, env }, atEnd);
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
  return { ...service, origin, ask, file };
}

import { type ClientOptions, createClient } from '@proj/client';
import { onTestFinished, vi } from 'vitest';

import { TOKEN } from './contract-service.ts';

/** A client whose clock is the test's, and which no network delays. */
export function withClock(
  answer: (request: Request) => Response | Promise<Response>,
  options: Partial<ClientOptions> = {},
) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const fetch = vi.fn<(request: Request) => Promise<Response>>(async (request) => answer(request));
  const baseUrl = 'https://data.example.com';
  return { fetch, client: createClient({ baseUrl, token: TOKEN, fetch, ...options }) };
}

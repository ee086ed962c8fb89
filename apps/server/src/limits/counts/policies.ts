export interface Policy {
  readonly name: string;
  /** In the words of draft-ietf-httpapi-ratelimit-headers-11 §3.1.2 where it has one. */
  readonly unit: 'requests' | 'concurrent-requests' | 'rows';
}

/** Limits any window of time. The window slides by slots; the slot that it cuts counts in full. */
export interface WindowPolicy extends Policy {
  readonly slotMs: number;
  readonly slots: number;
}

export const REQUESTS: WindowPolicy = {
  name: 'requests-per-minute',
  unit: 'requests',
  slotMs: 1000,
  slots: 60,
};
export const INVALID_TOKENS: WindowPolicy = {
  name: 'failures-per-minute',
  unit: 'requests',
  slotMs: 1000,
  slots: 60,
};
export const RECORDS: WindowPolicy = {
  name: 'rows-per-day',
  unit: 'rows',
  slotMs: 15 * 60_000,
  slots: 96,
};
export const QUERIES: Policy = { name: 'concurrent-queries', unit: 'concurrent-requests' };

const WINDOW_POLICIES = [REQUESTS, INVALID_TOKENS, RECORDS];

/** Another process sends only the name. */
export function policyNamed(name: string): WindowPolicy {
  const policy = WINDOW_POLICIES.find((known) => known.name === name);
  if (policy === undefined) throw new Error(`There is no policy ${name}.`);
  return policy;
}

export function windowMs({ slotMs, slots }: WindowPolicy): number {
  return slotMs * slots;
}

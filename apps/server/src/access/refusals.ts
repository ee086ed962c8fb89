import type { Logger } from 'pino';

export const REFUSALS = {
  algorithm: 'the settings do not list its algorithm',
  audience: 'its audience is not that of the settings',
  expired: 'it has expired',
  'issued in the future': 'it was issued in the future: compare the clocks',
  issuer: 'the settings do not list its issuer',
  malformed: 'it is no JWT that can be read',
  'no expiry': 'it has no expiry',
  'no name': 'it has no text in the claim that `name_claim` names',
  'no role': 'no value in the claim that `role_claim` names is one of the `roles` of its issuer',
  'not valid yet': 'it is not valid yet: compare the clocks',
  signature: 'its signature is not that of the key that it names',
  type: 'it is no access token: its header has another type',
  'unknown key': 'its issuer does not publish the key that it names',
  'unknown token': 'it is no token of the settings',
  'unusable key': 'the key of its issuer cannot be used',
} as const;

export interface Refusal {
  readonly reason: keyof typeof REFUSALS;
  readonly issuer?: string;
}

export type OnRefusal = (refusal: Refusal) => void;

/** How often a reason is logged at most, in milliseconds. */
const INTERVAL_MS = 60_000;

/** Logs refusals without any part of a token: each reason at once, then a count a minute. */
export class RefusalLog {
  readonly #log: Pick<Logger, 'info'>;
  readonly #suppressed = new Map<string, number>();
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(log: Pick<Logger, 'info'>) {
    this.#log = log;
  }

  readonly add: OnRefusal = (refusal) => {
    const key = JSON.stringify([refusal.reason, refusal.issuer]);
    const suppressed = this.#suppressed.get(key);
    if (suppressed === undefined) this.#write(key, refusal);
    else this.#suppressed.set(key, suppressed + 1);
  };

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #write(key: string, refusal: Refusal, suppressed = 0): void {
    const counted = suppressed > 0 ? { ...refusal, suppressed } : refusal;
    this.#log.info(counted, `a token was refused: ${REFUSALS[refusal.reason]}`);
    this.#suppressed.set(key, 0);
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      const others = this.#suppressed.get(key) ?? 0;
      if (others > 0) this.#write(key, refusal, others - 1);
      else this.#suppressed.delete(key);
    }, INTERVAL_MS).unref();
    this.#timers.add(timer);
  }
}

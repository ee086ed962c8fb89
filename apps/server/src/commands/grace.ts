/**
 * How long in-flight requests may take after a signal, in milliseconds, before the process ends all
 * the same.
 */
export const GRACE_MS = 30_000;

/** How long in-flight requests may take after a signal, in milliseconds. */
export const GRACE_MS = 30_000;

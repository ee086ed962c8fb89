/**
 * How the app that has this page knows who asks: by its own session, or by a token. Null where the
 * page is that of a service.
 */
export const hostApp = document.querySelector('meta[name="app"]')?.getAttribute('content') ?? null;

/** Whether nobody signs in here: the app knows who asks. */
export const isKnownToApp = hostApp === 'session';

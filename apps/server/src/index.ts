export { buildApp } from './app.ts';
export type { AppParts } from './app.ts';
export { Lifecycle } from './process/lifecycle.ts';
export { run } from './run.ts';
export type { Invocation } from './run.ts';

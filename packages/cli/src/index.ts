export { run } from './run.ts';
export type { Output, Terminal } from './terminal/terminal.ts';
export { EXIT } from './failure.ts';
export { type Int64, modelsSource } from './types-generator/models-source.ts';

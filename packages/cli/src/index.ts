export { run } from './run.ts';
export type { Output, Terminal } from './terminal/terminal.ts';
export { EXIT } from './exit-code.ts';
export { modelsSource } from './types-generator/models-source.ts';
export type { Int64 } from './types-generator/type-source.ts';

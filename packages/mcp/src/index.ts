export { createToolServer } from './tool-server.ts';
export type { ToolServerOptions } from './tool-server.ts';

export { answerRequest } from './http-handler.ts';
export type { AnswerOptions } from './http-handler.ts';
export { serveOverStdio } from './stdio.ts';
export type { StdioOptions } from './stdio.ts';
export { createToolServer } from './tool-server.ts';
export type { ToolServerOptions } from './tool-server.ts';

export { type AnswerOptions, answerRequest } from './http-handler.ts';
export { serveOverStdio, type StdioOptions } from './stdio.ts';
export { createToolServer, type ToolServerOptions } from './tool-server.ts';

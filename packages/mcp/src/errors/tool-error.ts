/** A call that cannot be answered. The message says what to write instead. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

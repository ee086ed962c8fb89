/** What a tool answers. */
export interface ToolResult {
  /** For readers. */
  readonly text: string;
  /** The same for programs. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** A part of a result (MCP 2025-06-18 and later). */
export type Block =
  | { type: 'text'; text: string }
  | { type: 'image'; data: string; mimeType: string }
  | { type: 'resource_link'; uri: string; name: string; description?: string };

/** What `tools/call` answers, in every era of the protocol. */
export type ToolResult = {
  content: Block[];
  /** As the tool's output schema says; absent from an error. */
  structuredContent?: Record<string, unknown>;
  isError?: true;
};

/** A part of text. */
export function text(words: string): Block {
  return { type: 'text', text: words };
}

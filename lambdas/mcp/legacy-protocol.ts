import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  InitializeRequestSchema,
  JSONRPCMessageSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { rpcCodes, invalidCall } from './mcp-refusal.ts';
import type { RpcMessage } from './rpc-message.ts';
import {
  capabilities,
  identity,
  instructions,
  type ToolServer,
  unusedValidator,
} from './tool-server.ts';

/**
 * Serves one message of the protocol versions up to 2025-11-25: stateless, with a new server and
 * transport, answered as JSON. Uses `Server`, because `McpServer` would build every schema again for
 * each request and refuse input with its own texts.
 */
export async function serveLegacy(
  request: Request,
  message: RpcMessage,
  tools: ToolServer,
): Promise<Response> {
  requireShape(message);
  const server = new Server(identity(), {
    capabilities,
    instructions,
    jsonSchemaValidator: { getValidator: unusedValidator },
  });
  server.setRequestHandler(ListToolsRequestSchema, () => tools.list());
  server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
    tools.call(params.name, params.arguments),
  );
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }) =>
    tools.listResources(params?.cursor),
  );
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => tools.listTemplates());
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) =>
    tools.readResource(params.uri),
  );
  server.setRequestHandler(CompleteRequestSchema, ({ params }) => tools.complete(params));
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: withoutTask(message) });
  } finally {
    await server.close();
  }
}

const shapes = new Map<string, { safeParse(value: unknown): { success: boolean } }>([
  ['initialize', InitializeRequestSchema],
  ['tools/list', ListToolsRequestSchema],
  ['resources/list', ListResourcesRequestSchema],
  ['resources/templates/list', ListResourceTemplatesRequestSchema],
  ['resources/read', ReadResourceRequestSchema],
  ['completion/complete', CompleteRequestSchema],
]);

/**
 * Checks parameters before the SDK does, because the SDK would answer with an internal error or a
 * parse error.
 */
function requireShape(message: RpcMessage): void {
  const { id, method } = message;
  const shape = shapes.get(method ?? '') ?? JSONRPCMessageSchema;
  if (shape.safeParse(message).success) return;
  const error = `\`params\` of ${method} do not match the protocol.`;
  // A notification has no id to answer to, so the status carries the error.
  const status = id === undefined ? 400 : 200;
  throw invalidCall(
    rpcCodes.invalidParams,
    error,
    'Send them as the MCP specification describes.',
    status,
  );
}

/** Tasks are not supported, so `task` is ignored. The SDK would call the tool and then refuse its result. */
function withoutTask(message: RpcMessage): RpcMessage {
  if (message.params === undefined) return message;
  const { task: _, ...params } = message.params;
  return { ...message, params };
}

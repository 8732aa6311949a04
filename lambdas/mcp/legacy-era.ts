import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  CallToolRequestSchema,
  InitializeRequestSchema,
  JSONRPCMessageSchema,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { rpcCodes, wrongCall } from './refusal.ts';
import type { RpcMessage } from './rpc-message.ts';
import { capabilities, identity, instructions, type ToolServer } from './tool-server.ts';

/**
 * Serves one message of the protocol up to 2025-11-25: stateless, with a server and a transport of
 * its own, answered as JSON. `Server` and not `McpServer`, which would make every schema anew for
 * each request and refuse input in words of its own.
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
    jsonSchemaValidator: { getValidator: neverAsked },
  });
  server.setRequestHandler(ListToolsRequestSchema, () => tools.list());
  server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
    tools.call(params.name, params.arguments),
  );
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: withoutTask(message) });
  } finally {
    await server.close();
  }
}

const shapes = { initialize: InitializeRequestSchema, 'tools/list': ListToolsRequestSchema };

/** The SDK would answer in its own words, an internal error or that the JSON cannot be read. */
function requireShape(message: RpcMessage): void {
  const { id, method } = message;
  const isShaped = method === 'initialize' || method === 'tools/list';
  const shape = isShaped ? shapes[method] : JSONRPCMessageSchema;
  if (shape.safeParse(message).success) return;
  const error = `\`params\` of ${method} are not as the protocol says.`;
  // No answer has the id of a notification, so that the status says it.
  const status = id === undefined ? 400 : 200;
  throw wrongCall(rpcCodes.invalidParams, error, 'Send them as its specification shows.', status);
}

/** We offer no tasks, so that a wish for one is to be ignored; the SDK would call the tool and then refuse its result. */
function withoutTask(message: RpcMessage): RpcMessage {
  if (message.params === undefined) return message;
  const { task: _, ...params } = message.params;
  return { ...message, params };
}

/** Clients are asked for nothing that would have to be checked; the SDK's own validator takes long to make. */
function neverAsked(): never {
  throw new Error('this server asks clients for nothing');
}

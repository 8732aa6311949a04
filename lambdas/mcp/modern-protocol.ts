import {
  CLIENT_CAPABILITIES_META_KEY,
  createMcpHandler,
  inputRequired,
  isLegacyRequest,
  Server,
} from '@modelcontextprotocol/server';
import type { RpcMessage } from './rpc-message.ts';
import {
  capabilities,
  identity,
  instructions,
  type ToolServer,
  unusedValidator,
} from './tool-server.ts';
import { Question, toolUser } from './tool-user.ts';

/** Whether a message belongs to the older protocol, as the protocol's own package decides it. */
export function isLegacy(request: Request, message: RpcMessage): Promise<boolean> {
  return isLegacyRequest(request, message);
}

/** Serves one message of the protocol version 2026-07-28. No handler reports progress, so every answer is JSON. */
export function serveModern(
  request: Request,
  message: RpcMessage,
  tools: ToolServer,
): Promise<Response> {
  const handler = createMcpHandler(() => serverOf(tools), {
    legacy: 'reject',
    keepAliveMs: 0,
    maxSubscriptions: 0,
  });
  return handler.fetch(request, { parsedBody: message });
}

function serverOf(tools: ToolServer): Server {
  const server = new Server(identity(), {
    capabilities,
    instructions,
    jsonSchemaValidator: { getValidator: unusedValidator },
  });
  server.setRequestHandler('tools/list', () => tools.list());
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => {
    const user = toolUser(capabilitiesOf(mcpReq.envelope), mcpReq.inputResponses);
    return tools.call(params.name, params.arguments, user).catch(questionResult);
  });
  server.setRequestHandler('resources/list', ({ params }) => tools.listResources(params?.cursor));
  server.setRequestHandler('resources/templates/list', () => tools.listTemplates());
  server.setRequestHandler('resources/read', ({ params }) => tools.readResource(params.uri));
  server.setRequestHandler('completion/complete', ({ params }) => tools.complete(params));
  return server;
}

/** Capabilities that the client sent with this request; the SDK's type does not name them. */
function capabilitiesOf(envelope: object = {}): unknown {
  return new Map<string, unknown>(Object.entries(envelope)).get(CLIENT_CAPABILITIES_META_KEY);
}

/**
 * A question as a result: the client shows it and repeats the call with the answer, so that no function
 * waits for a person. Other errors are thrown on.
 */
function questionResult(error: unknown) {
  if (!(error instanceof Question)) throw error;
  const { key, message, field } = error;
  const { name, ...schema } = field;
  const requestedSchema = {
    type: 'object' as const,
    properties: { [name]: schema },
    required: [name],
  };
  const question = inputRequired.elicit({ message, requestedSchema });
  return inputRequired({ inputRequests: { [key]: question } });
}

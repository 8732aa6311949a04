import type { APIGatewayProxyResult } from 'aws-lambda';
import { mcpResource } from '../../contract/oauth/oauth.ts';
import { oauthPaths } from '../../contract/oauth/oauth-paths.ts';
import { CodedError } from '../../core/errors.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { Binding } from '../http/bind.ts';
import { allowAnyOrigin, endpoint } from '../http/endpoint.ts';
import { setting } from '../shared/settings.ts';
import { admit, type Agent } from './admit.ts';
import { checkCall } from './check-call.ts';
import { McpRefusal, refusalResponse } from './mcp-refusal.ts';
import { readMessage, type RpcMessage } from './rpc-message.ts';
import { toolServer } from './tool-server.ts';

/** `POST /mcp`. Other methods are refused, also GET and DELETE, the methods for streams and sessions. */
export const mcpBindings: readonly Binding[] = [
  { method: 'POST', route: oauthPaths.mcp, serve: serveMcp },
  { method: 'ANY', route: oauthPaths.mcp, serve: refuseMethod },
].map(allowAnyOrigin);

/** `/mcp`: the tools of agents. */
export const handler = endpoint(mcpBindings);

/** Answers immediately and without a credential: a client that waits for a stream would wait forever. */
async function refuseMethod({ method, caller }: ApiRequest): Promise<APIGatewayProxyResult> {
  const error = new CodedError('METHOD_NOT_ALLOWED', {
    error: `${method} is not supported at this address.`,
  });
  const { requestId } = caller;
  return refusalResponse(new McpRefusal(error, { headers: { allow: 'POST' } }), {
    id: null,
    requestId,
  });
}

async function serveMcp(request: ApiRequest): Promise<APIGatewayProxyResult> {
  const { requestId } = request.caller;
  let message: RpcMessage | undefined;
  try {
    const agent = await admit(request);
    message = readMessage(request);
    checkCall(message, agent);
    return await toGatewayResponse(await respond(message, request, agent), requestId);
  } catch (error) {
    return refusalResponse(error, { id: message?.id ?? null, requestId });
  }
}

/**
 * A client's answer is ignored, because this server sends no requests. The SDK would fail on deeply
 * nested answers.
 */
async function respond(message: RpcMessage, request: ApiRequest, agent: Agent): Promise<Response> {
  if (message.method === undefined) return new Response(null, { status: 202 });
  return dispatch(webRequest(request), message, agent);
}

/**
 * Passes a message to the code for its protocol version. The package of the newer version is loaded
 * only when it is used.
 */
async function dispatch(request: Request, message: RpcMessage, agent: Agent): Promise<Response> {
  const tools = toolServer(agent);
  if (mayBeModern(request, message)) {
    const modern = await import('./modern-protocol.ts');
    if (!(await modern.isLegacy(request, message))) {
      return modern.serveModern(request, message, tools);
    }
  }
  const legacy = await import('./legacy-protocol.ts');
  return legacy.serveLegacy(request, message, tools);
}

/** False if neither headers nor message have a feature of the newer protocol. */
function mayBeModern({ headers }: Request, { params }: RpcMessage): boolean {
  if ((headers.get('mcp-protocol-version') ?? '') >= '2026') return true;
  const meta = params?.['_meta'];
  if (typeof meta !== 'object' || meta === null) return false;
  return Object.keys(meta).some((name) => name.startsWith('io.modelcontextprotocol/'));
}

/** The request for the SDKs. `Accept` is replaced: clients send different values, and both SDKs are strict about it. */
function webRequest({ headers }: ApiRequest): Request {
  const sent = Object.entries(headers).filter(([name]) => name.startsWith('mcp-'));
  return new Request(mcpResource(setting('BASE_URL')), {
    method: 'POST',
    headers: {
      ...Object.fromEntries(sent.map(([name, value = '']) => [name, toHeaderText(value)])),
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
  });
}

/** Replaces characters that a header of a web `Request` does not allow. */
function toHeaderText(value: string): string {
  return value.replace(/[^\x20-\x7e]/g, '?');
}

/** The SDK's response with our own headers; of the SDK's headers only the content type is kept. */
async function toGatewayResponse(
  response: Response,
  requestId: string,
): Promise<APIGatewayProxyResult> {
  const type = response.headers.get('content-type');
  if (type?.startsWith('text/event-stream') === true) {
    await response.body?.cancel();
    throw new Error('the SDK answered with a stream, which Lambda cannot send');
  }
  return {
    statusCode: response.status,
    headers: {
      ...(type === null ? {} : { 'content-type': type }),
      'cache-control': 'no-store',
      'x-request-id': requestId,
    },
    body: await response.text(),
  };
}

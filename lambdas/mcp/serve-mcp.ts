import type { APIGatewayProxyResult } from 'aws-lambda';
import { mcpResource, oauthPaths } from '../../contract/oauth/oauth.ts';
import { CodedError } from '../../core/errors.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { Binding } from '../http/bind.ts';
import { crossOrigin } from '../http/cross-origin.ts';
import { setting } from '../shared/settings.ts';
import { admit } from './admit.ts';
import type { Agent } from './agent.ts';
import { checkCall } from './check-call.ts';
import { McpRefusal } from './refusal.ts';
import { refusalAnswer } from './refusal-answer.ts';
import { readMessage, type RpcMessage } from './rpc-message.ts';
import { toolServer } from './tool-server.ts';

/** `POST /mcp`, and the methods of streams and sessions, which there are none of. */
export const mcpBindings: readonly Binding[] = [
  { method: 'POST', route: oauthPaths.mcp, serve: serveMcp },
  { method: 'GET', route: oauthPaths.mcp, serve: refuseMethod },
  { method: 'DELETE', route: oauthPaths.mcp, serve: refuseMethod },
].map(crossOrigin);

/** At once and for everybody: a client that is left waiting for a stream waits for good. */
async function refuseMethod({ method, caller }: ApiRequest): Promise<APIGatewayProxyResult> {
  const error = new CodedError('METHOD_NOT_ALLOWED', { error: `${method} is not offered here.` });
  const { requestId } = caller;
  return refusalAnswer(new McpRefusal(error, { headers: { allow: 'POST' } }), {
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
    return await answerOf(await answerTo(message, request, agent), requestId);
  } catch (error) {
    return refusalAnswer(error, { id: message?.id ?? null, requestId });
  }
}

/** Nothing is asked of clients, so that an answer of theirs is for nobody; the SDK fails on what is nested deep. */
async function answerTo(message: RpcMessage, request: ApiRequest, agent: Agent): Promise<Response> {
  if (message.method === undefined) return new Response(null, { status: 202 });
  return dispatch(webRequest(request), message, agent);
}

/** To the era that the message is of. The newer one's package is loaded when somebody speaks it. */
async function dispatch(request: Request, message: RpcMessage, agent: Agent): Promise<Response> {
  const tools = toolServer(agent);
  if (mayBeModern(request, message)) {
    const modern = await import('./modern-era.ts');
    if (!(await modern.isLegacy(request, message))) {
      return modern.serveModern(request, message, tools);
    }
  }
  const legacy = await import('./legacy-era.ts');
  return legacy.serveLegacy(request, message, tools);
}

/** False where neither header nor message claims what only the newer era has. */
function mayBeModern({ headers }: Request, { params }: RpcMessage): boolean {
  if ((headers.get('mcp-protocol-version') ?? '') >= '2026') return true;
  const meta = params?.['_meta'];
  if (typeof meta !== 'object' || meta === null) return false;
  return Object.keys(meta).some((name) => name.startsWith('io.modelcontextprotocol/'));
}

/** `Accept` is ours: clients send any, and both SDKs refuse what is not theirs. */
function webRequest({ headers }: ApiRequest): Request {
  const sent = Object.entries(headers).filter(([name]) => name.startsWith('mcp-'));
  return new Request(mcpResource(setting('BASE_URL')), {
    method: 'POST',
    headers: {
      ...Object.fromEntries(sent.map(([name, value = '']) => [name, plain(value)])),
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
  });
}

/** What a header of a web request can hold. */
function plain(value: string): string {
  return value.replace(/[^\x20-\x7e]/g, '?');
}

/** Headers as every answer of ours has them; of the SDK's only what tells the type of the body. */
async function answerOf(response: Response, requestId: string): Promise<APIGatewayProxyResult> {
  const type = response.headers.get('content-type');
  if (type?.startsWith('text/event-stream') === true) {
    await response.body?.cancel();
    throw new Error('an answer was a stream, which Lambda cannot send');
  }
  return {
    statusCode: response.status,
    headers: {
      ...(type === null ? {} : { 'content-type': type }),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': requestId,
    },
    body: await response.text(),
  };
}

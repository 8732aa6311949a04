import type { Authorizer, Integration } from './method.ts';
import type { GatewayResponse } from './gateway-response.ts';
import type { FunctionCaller } from '../../iam/lambda-permissions.ts';
import type { ResponseType } from './openapi-body.ts';
import type { ThrottleSetting } from './throttle.ts';
import type { HttpRequest, HttpResponse } from '../../http/http.ts';
import type { Refusal } from '../refusal.ts';

/** One method on one resource path. */
export interface Route {
  resourceId: string;
  /** As in the document: `/v1/projects/{projectId}`. */
  path: string;
  httpMethod: string;
  integration: Integration;
  /** Called before the integration. */
  authorizer: Authorizer | undefined;
  /** Whether `x-api-key` must have one of the stage's keys. */
  needsApiKey: boolean;
}

/** The REST API of the templates, checked and normalised. */
export interface ApiDefinition {
  apiId: string;
  stageName: string;
  deploymentId: string;
  stageVariables: Record<string, string> | null;
  binaryMediaTypes: readonly string[];
  routes: readonly Route[];
  gatewayResponses: ReadonlyMap<ResponseType, GatewayResponse>;
  /** Whether the templates' permissions let a service call a function. */
  mayInvoke(caller: FunctionCaller): boolean;
  /** The values of `x-api-key` that usage plans allow. */
  apiKeys: ReadonlySet<string>;
  throttles: readonly ThrottleSetting[];
  /** Formats one line of the access log; undefined if the stage has none. */
  accessLine: ((logged: LoggedCall) => string) | undefined;
}

/** One request in the gateway, with the ids that the service assigns. */
export interface GatewayCall {
  api: ApiDefinition;
  domainName: string;
  request: HttpRequest;
  receivedAt: Date;
  requestId: string;
  extendedRequestId: string;
  traceId: string;
}

/** One request for the access log. */
export interface LoggedCall {
  call: GatewayCall;
  /** Undefined if no route matched. */
  route: Route | undefined;
  response: HttpResponse;
  /** Set if the gateway itself refused the request. */
  refusal: Refusal | undefined;
  latencyMs: number;
  /** Undefined if no function was called. */
  functionMs: number | undefined;
}

import type { Authorizer } from './authorizer.ts';
import type { GatewayResponse } from '../gateway-response.ts';
import type { Integration } from './integration.ts';
import type { Permission } from './permission.ts';
import type { ResponseType } from './resource-schemas.ts';
import type { ThrottleSetting } from './throttle.ts';
import type { HttpRequest, HttpResponse } from '../../http/http.ts';
import type { Refusal } from '../refusal.ts';

/** One method on one resource path. */
export interface Route {
  resourceId: string;
  /** As in the template: `/v1/projects/{projectId}`. */
  path: string;
  httpMethod: string;
  integration: Integration;
  /** Who is asked before the integration is called. */
  authorizer: Authorizer | undefined;
}

/** What the templates say about the REST API, checked and normalised once. */
export interface ApiDefinition {
  apiId: string;
  stageName: string;
  deploymentId: string;
  stageVariables: Record<string, string> | null;
  binaryMediaTypes: readonly string[];
  routes: readonly Route[];
  gatewayResponses: ReadonlyMap<ResponseType, GatewayResponse>;
  permissions: readonly Permission[];
  throttles: readonly ThrottleSetting[];
  /** One line of the access log; none where the stage keeps no log. */
  accessLine: ((logged: LoggedCall) => string) | undefined;
}

/** One request on its way through the gateway, with the ids that the service gives it. */
export interface GatewayCall {
  api: ApiDefinition;
  domainName: string;
  request: HttpRequest;
  receivedAt: Date;
  requestId: string;
  extendedRequestId: string;
  traceId: string;
}

/** One request as the access log tells it. */
export interface LoggedCall {
  call: GatewayCall;
  /** The route that took it; none where no route matched. */
  route: Route | undefined;
  response: HttpResponse;
  /** The refusal of the gateway itself. */
  refusal: Refusal | undefined;
  latencyMs: number;
  /** How long the function took, where one was called. */
  functionMs: number | undefined;
}

import * as cdk from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import * as logs from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { FunctionGroup, Operation } from '../../contract/operation.ts';
import { oauthPaths } from '../../contract/oauth/oauth.ts';
import { operations } from '../../contract/operations.ts';
import { securityTxtPath } from '../../contract/security-txt.ts';
import type { SlipwayFunction } from '../functions/function.ts';
import { gatewayAnswer, gatewayRefusals } from './gateway-responses.ts';
import { addPreflight } from './preflights.ts';
import { appOrigin, type Settings } from '../settings.ts';

/** The one stage; part of the address that CloudFront calls. */
export const STAGE_NAME = 'live';

/** A function with routes: one for each group of operations, and those that serve pages. */
export type RoutedFunction = FunctionGroup | 'claim-pages' | 'oauth' | 'mcp' | 'visitor-forms';

interface Route {
  method: string;
  path: string;
  group: RoutedFunction;
}

/** What people open in a browser: on the app's host, and below `/_slipway/` on every site's; and what apps and agents call. */
const pages: Route[] = [
  { method: 'GET', path: '/', group: 'system' },
  { method: 'GET', path: securityTxtPath, group: 'system' },
  { method: 'GET', path: '/claim/{claimToken}', group: 'claim-pages' },
  { method: 'POST', path: '/claim/{claimToken}', group: 'claim-pages' },
  { method: 'GET', path: '/upload/{token}', group: 'upload-links' },
  { method: 'POST', path: '/upload/{token}', group: 'upload-links' },
  { method: 'GET', path: oauthPaths.serverMetadata, group: 'oauth' },
  { method: 'GET', path: oauthPaths.resourceMetadata, group: 'oauth' },
  { method: 'GET', path: '/.well-known/{rest+}', group: 'oauth' },
  { method: 'GET', path: `${oauthPaths.resourceMetadata}/{rest+}`, group: 'oauth' },
  { method: 'GET', path: `${oauthPaths.serverMetadata}/{rest+}`, group: 'oauth' },
  { method: 'POST', path: oauthPaths.register, group: 'oauth' },
  { method: 'GET', path: oauthPaths.authorize, group: 'oauth' },
  { method: 'POST', path: oauthPaths.authorize, group: 'oauth' },
  { method: 'GET', path: oauthPaths.connections, group: 'oauth' },
  { method: 'POST', path: oauthPaths.connections, group: 'oauth' },
  { method: 'POST', path: oauthPaths.token, group: 'oauth' },
  { method: 'POST', path: oauthPaths.revoke, group: 'oauth' },
  { method: 'POST', path: oauthPaths.mcp, group: 'mcp' },
  { method: 'GET', path: oauthPaths.mcp, group: 'mcp' },
  { method: 'DELETE', path: oauthPaths.mcp, group: 'mcp' },
  { method: 'GET', path: '/_slipway/preview/off', group: 'visitor-forms' },
  { method: 'GET', path: '/_slipway/preview/ended', group: 'visitor-forms' },
  { method: 'GET', path: '/_slipway/preview/{token}', group: 'visitor-forms' },
  { method: 'GET', path: '/_slipway/owner/{token}', group: 'visitor-forms' },
  { method: 'POST', path: '/_slipway/owner', group: 'visitor-forms' },
  { method: 'POST', path: '/_slipway/unlock', group: 'visitor-forms' },
  { method: 'GET', path: '/_slipway', group: 'visitor-forms' },
  { method: 'GET', path: '/_slipway/{rest+}', group: 'visitor-forms' },
  { method: 'GET', path: '/_slipway/report', group: 'visitor-forms' },
  { method: 'POST', path: '/_slipway/report', group: 'visitor-forms' },
  { method: 'POST', path: '/_slipway/open', group: 'visitor-forms' },
  { method: 'GET', path: '/_slipway/cleared', group: 'visitor-forms' },
];

/** The REST API: one route for each operation of the contract, and the pages. */
export class Api extends Construct {
  readonly rest: apigateway.RestApi;

  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id);
    this.rest = new apigateway.RestApi(this, 'Rest', {
      restApiName: cdk.Names.uniqueResourceName(this, { maxLength: 60, separator: '-' }),
      description: 'Slipway: everything but published pages',
      endpointTypes: [apigateway.EndpointType.REGIONAL],
      // Never `*/*`: every JSON body would then arrive as base64. An answer leaves as bytes where the
      // first type of `Accept` is one of these; app-viewer-request.js sees to that, and to the last
      // one: what is sent to the MCP endpoint.
      binaryMediaTypes: ['multipart/form-data', 'image/png', 'application/mcp+json'],
      // Access logs are refused in an account whose API Gateway has no role for CloudWatch.
      cloudWatchRole: true,
      deployOptions: this.stage(settings),
    });
    for (const refusal of gatewayRefusals) {
      this.rest.addGatewayResponse(refusal.type, {
        type: apigateway.ResponseType.of(refusal.type),
        ...gatewayAnswer(refusal, appOrigin(settings)),
      });
    }
  }

  /** Routes to the function that serves each group; these need distributions that need the API itself. */
  addRoutes(
    functions: Record<RoutedFunction, SlipwayFunction>,
    agents: apigateway.RequestAuthorizer,
  ): void {
    const integrations = new Map(
      Object.entries(functions).map(([group, fn]) => [group, integration(fn)]),
    );
    for (const { path, method, group } of [...pages, ...operations]) {
      const isForAgents = path === oauthPaths.mcp && method === 'POST';
      this.rest.root
        .resourceForPath(path)
        .addMethod(method, integrations.get(group), isForAgents ? { authorizer: agents } : {});
    }
    for (const path of new Set(pages.map((page) => page.path).filter(isForOtherSites))) {
      const methods = pages.filter((page) => page.path === path).map(({ method }) => method);
      addPreflight(this.rest.root.resourceForPath(path), methods);
    }
  }

  private stage(settings: Settings): apigateway.StageOptions {
    const { throttles } = settings;
    const accessLog = new logs.LogGroup(this, 'AccessLog', {
      retention: settings.logRetentionDays,
      removalPolicy: cdk.RemovalPolicy.DESTROY,
    });
    return {
      stageName: STAGE_NAME,
      // A trace of API Gateway holds the whole address, and with it tokens; functions are traced themselves.
      tracingEnabled: false,
      throttlingRateLimit: throttles.requestsPerSecond,
      throttlingBurstLimit: throttles.burst,
      methodOptions: Object.fromEntries(
        anonymousWrites().map(({ path, method }) => [
          `${path}/${method}`,
          {
            throttlingRateLimit: throttles.anonymousWritesPerSecond,
            throttlingBurstLimit: throttles.anonymousWritesBurst,
          },
        ]),
      ),
      accessLogDestination: new apigateway.LogGroupLogDestination(accessLog),
      accessLogFormat: apigateway.AccessLogFormat.custom(JSON.stringify(accessLogFields)),
    };
  }
}

/**
 * The resource and never the path: a path may hold a claim token. Not `resourcePath` either, because
 * nothing says that it is a template where no route matched. A function's log has the route and
 * the same `requestId`.
 */
const accessLogFields = {
  requestId: '$context.requestId',
  time: '$context.requestTime',
  method: '$context.httpMethod',
  resource: '$context.resourceId',
  status: '$context.status',
  refusedBy: '$context.error.responseType',
  responseBytes: '$context.responseLength',
  latencyMs: '$context.responseLatency',
  functionLatencyMs: '$context.integration.latency',
};

/** Writes by who has not said yet who they are. */
function anonymousWrites(): Pick<Route, 'path' | 'method'>[] {
  return [
    ...operations.filter(isAnonymousWrite),
    ...pages.filter(({ path, method }) => path.startsWith('/oauth/') && method === 'POST'),
  ];
}

function isAnonymousWrite(operation: Operation): boolean {
  return operation.auth === 'none' && operation.method !== 'GET';
}

/** What clients that are pages of other sites call; the authorization page is opened instead. */
function isForOtherSites(path: string): boolean {
  const called: string[] = [
    oauthPaths.mcp,
    oauthPaths.register,
    oauthPaths.token,
    oauthPaths.revoke,
  ];
  return called.includes(path) || path.startsWith('/.well-known/');
}

/** One permission per function: a permission per route would meet the 20 kB limit of its policy. */
function integration(fn: SlipwayFunction): apigateway.LambdaIntegration {
  return new apigateway.LambdaIntegration(fn, { scopePermissionToMethod: false });
}

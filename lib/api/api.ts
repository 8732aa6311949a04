import * as cdk from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import * as logs from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { secretReference, type Secrets } from '../data/secrets.ts';
import type { SlipwayFunction } from '../functions/function.ts';
import { gatewayRefusals, gatewayResponse } from './gateway-responses.ts';
import { addBusyPage } from './busy-page.ts';
import { addPreflight, agentPreflight, keyPreflight } from './preflights.ts';
import {
  agentPaths,
  anonymousWrites,
  gatewayMethods,
  isForAgents,
  keyPaths,
  type RoutedFunction,
} from './routes.ts';
import { appOrigin, type Settings } from '../settings.ts';

/** The only stage; part of the URL that CloudFront calls. */
const STAGE_NAME = 'live';

/** The REST API: the operations of the contract, and our pages. */
export class Api extends Construct {
  readonly rest: apigateway.RestApi;

  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id);
    this.rest = new apigateway.RestApi(this, 'Rest', {
      restApiName: cdk.Names.uniqueResourceName(this, { maxLength: 60, separator: '-' }),
      description: 'Slipway: everything but published pages',
      endpointTypes: [apigateway.EndpointType.REGIONAL],
      // Every method, also those without a function: see `acceptKeys`.
      apiKeySourceType: apigateway.ApiKeySourceType.HEADER,
      defaultMethodOptions: { apiKeyRequired: true },
      // Never `*/*`: every JSON body would then arrive as base64. API Gateway sends a response as
      // bytes only if the first type of `Accept` is one of these; app-viewer-request.js sets that
      // header for PNG and for documents that are compressed, the type of files for upload links, and
      // the last type for the MCP endpoint.
      binaryMediaTypes: [
        'multipart/form-data',
        'image/png',
        'application/octet-stream',
        'application/mcp+json',
      ],
      // Without this role API Gateway refuses access logs.
      cloudWatchRole: true,
      deployOptions: this.stage(settings),
    });
    acceptFindings(this.rest);
    for (const refusal of gatewayRefusals) {
      this.rest.addGatewayResponse(refusal.type, {
        type: apigateway.ResponseType.of(refusal.type),
        ...gatewayResponse(refusal, appOrigin(settings)),
      });
    }
  }

  /**
   * Adds the routes. Not done in the constructor, because functions need the distributions, which
   * need the API.
   */
  addRoutes(
    functions: Record<RoutedFunction, SlipwayFunction>,
    agents: apigateway.RequestAuthorizer,
  ): void {
    const integrations = new Map(
      Object.entries(functions).map(([group, fn]) => [group, integration(fn)]),
    );
    for (const route of gatewayMethods()) {
      this.rest.root
        .resourceForPath(route.path)
        .addMethod(
          route.method,
          integrations.get(route.group),
          isForAgents(route) ? { authorizer: agents } : {},
        );
    }
    for (const { path, methods } of agentPaths()) {
      addPreflight(this.rest.root.resourceForPath(path), agentPreflight(methods));
    }
    for (const { path, methods } of keyPaths()) {
      addPreflight(this.rest.root.resourceForPath(path), keyPreflight(methods));
    }
    addBusyPage(this.rest.root);
  }

  /**
   * Lets requests with one of these keys in `x-api-key` reach the methods. API Gateway refuses all others
   * before it calls a function, and does not charge for them. Not the proof that a request came through
   * CloudFront: that is the secret header, which functions check.
   */
  acceptKeys(keys: ReadonlyMap<number, string>): void {
    const plan = new apigateway.CfnUsagePlan(this, 'Door', {
      description: 'Slipway: the keys that CloudFront sends',
      apiStages: [{ apiId: this.rest.restApiId, stage: this.rest.deploymentStage.stageName }],
    });
    for (const [generation, value] of keys) {
      const key = new apigateway.CfnApiKey(this, `Key${generation}`, {
        description: `Slipway: sent by CloudFront, key ${generation}`,
        enabled: true,
        value,
      });
      new apigateway.CfnUsagePlanKey(this, `DoorKey${generation}`, {
        keyId: key.ref,
        keyType: 'API_KEY',
        usagePlanId: plan.ref,
      });
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
      // A trace of API Gateway records the whole URL, which may hold tokens. Functions are traced instead.
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

/** What cdk-nag expects of a REST API and this one does on purpose otherwise. */
function acceptFindings(rest: apigateway.RestApi): void {
  const byFunctions =
    'Functions authenticate callers, by API key, session, OAuth token or link, because one operation may accept several of them. Public operations have none. All refuse requests that did not come through CloudFront.';
  cdk.Validations.of(rest).acknowledge(
    { id: 'AwsSolutions-APIG4', reason: byFunctions },
    { id: 'AwsSolutions-COG4', reason: byFunctions },
    {
      id: 'AwsSolutions-APIG2',
      reason: 'Functions validate each request with the schema of its operation (contract/).',
    },
    {
      id: 'AwsSolutions-APIG3',
      reason: 'The web ACL is at CloudFront, the only way to the API (setting waf).',
    },
    {
      id: 'AwsSolutions-APIG6',
      reason:
        'An execution log holds whole requests, with their secrets. The access log has a line for each request.',
    },
  );
  const role = rest.node.tryFindChild('CloudWatchRole');
  if (role === undefined) return;
  cdk.Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
    reason: 'API Gateway checks that its role has this managed policy.',
  });
}

/**
 * `resourceId` and never the path: a path may hold a claim token. Not `resourcePath` either: AWS does
 * not document that it is a template when no route matched. A function's log has the route and the
 * same `requestId`.
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

/** One permission per function: a permission per route would exceed the 20 kB limit of a function's policy. */
function integration(fn: SlipwayFunction): apigateway.LambdaIntegration {
  return new apigateway.LambdaIntegration(fn, { scopePermissionToMethod: false });
}

export interface ApiOriginProps {
  api: apigateway.RestApi;
  secrets: Secrets;
  /** What API Gateway accepts as `x-api-key`. */
  apiKey: string;
}

/**
 * The REST API as an origin: with the key that opens it, and with the secret header that proves that a
 * request came through CloudFront.
 */
export function apiOrigin({ api, secrets, apiKey }: ApiOriginProps) {
  const { region, urlSuffix } = cdk.Stack.of(api);
  return {
    domainName: `${api.restApiId}.execute-api.${region}.${urlSuffix}`,
    originPath: `/${STAGE_NAME}`,
    // CloudFront replaces headers of these names that a client sent.
    headers: {
      'x-api-key': apiKey,
      'x-slipway-origin': secretReference(secrets, 'origin'),
    },
  };
}

import * as cdk from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import * as logs from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { FunctionGroup, Operation } from '../contract/operation.ts';
import { operations } from '../contract/operations.ts';
import type { SlipwayFunction } from './function.ts';
import { gatewayAnswer, gatewayRefusals } from './gateway-responses.ts';
import type { Settings } from './settings.ts';

/** The one stage; part of the address that CloudFront calls. */
export const STAGE_NAME = 'live';

/** A function with routes: one for each group of operations, and those that serve pages. */
type RoutedFunction = FunctionGroup | 'claim-pages';

/** What people open in a browser on the app's host. */
const pages: { method: string; path: string; group: RoutedFunction }[] = [
  { method: 'GET', path: '/', group: 'system' },
  { method: 'GET', path: '/claim/{claimToken}', group: 'claim-pages' },
  { method: 'POST', path: '/claim/{claimToken}', group: 'claim-pages' },
];

export interface ApiProps {
  settings: Settings;
  /** The function that serves each group of operations. */
  functions: Record<RoutedFunction, SlipwayFunction>;
}

/** The REST API: one route for each operation of the contract, and the pages. */
export class Api extends Construct {
  readonly rest: apigateway.RestApi;

  constructor(scope: Construct, id: string, props: ApiProps) {
    super(scope, id);
    this.rest = new apigateway.RestApi(this, 'Rest', {
      restApiName: cdk.Names.uniqueResourceName(this, { maxLength: 60, separator: '-' }),
      description: 'Slipway: everything but published pages',
      endpointTypes: [apigateway.EndpointType.REGIONAL],
      // Never `*/*`: every JSON body would then arrive as base64.
      binaryMediaTypes: ['multipart/form-data'],
      // Access logs are refused in an account whose API Gateway has no role for CloudWatch.
      cloudWatchRole: true,
      deployOptions: this.stage(props.settings),
    });
    this.addRoutes(props.functions);
    for (const refusal of gatewayRefusals) {
      this.rest.addGatewayResponse(refusal.type, {
        type: apigateway.ResponseType.of(refusal.type),
        ...gatewayAnswer(refusal),
      });
    }
  }

  private addRoutes(functions: ApiProps['functions']): void {
    const integrations = {
      system: integration(functions.system),
      'temp-projects': integration(functions['temp-projects']),
      accounts: integration(functions.accounts),
      projects: integration(functions.projects),
      versions: integration(functions.versions),
      export: integration(functions.export),
      'claim-pages': integration(functions['claim-pages']),
    } satisfies Record<RoutedFunction, apigateway.LambdaIntegration>;
    for (const { path, method, group } of [...pages, ...operations]) {
      this.rest.root.resourceForPath(path).addMethod(method, integrations[group]);
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
      tracingEnabled: true,
      throttlingRateLimit: throttles.requestsPerSecond,
      throttlingBurstLimit: throttles.burst,
      methodOptions: Object.fromEntries(
        operations.filter(isAnonymousWrite).map(({ path, method }) => [
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

/** The route and never the path: a path may hold a claim token. */
const accessLogFields = {
  requestId: '$context.requestId',
  time: '$context.requestTime',
  method: '$context.httpMethod',
  route: '$context.resourcePath',
  status: '$context.status',
  refusedBy: '$context.error.responseType',
  responseBytes: '$context.responseLength',
  latencyMs: '$context.responseLatency',
  functionLatencyMs: '$context.integration.latency',
};

function isAnonymousWrite(operation: Operation): boolean {
  return operation.auth === 'none' && operation.method !== 'GET';
}

/** One permission per function: a permission per route would meet the 20 kB limit of its policy. */
function integration(fn: SlipwayFunction): apigateway.LambdaIntegration {
  return new apigateway.LambdaIntegration(fn, { scopePermissionToMethod: false });
}

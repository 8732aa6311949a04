import * as cdk from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as logs from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { secretReference, type Secrets } from '../data/secrets.ts';
import type { SlipwayFunction } from '../functions/function.ts';
import { appOrigin, type Settings } from '../settings.ts';
import { apiBody } from './api-body.ts';
import { busyPages } from './busy-page.ts';
import { stageVariable } from './api-operation.ts';
import { anonymousWrites, type RoutedFunction } from './routes.ts';

/** The only stage; part of the URL that CloudFront calls. */
const STAGE_NAME = 'live';

export interface ApiProps {
  settings: Settings;
  /** Checks the credential of a call of the MCP endpoint. */
  authorizer: SlipwayFunction;
}

/** The REST API: the operations of the contract, and our pages. */
export class Api extends Construct {
  readonly rest: apigateway.SpecRestApi;
  private readonly props: ApiProps;

  constructor(scope: Construct, id: string, props: ApiProps) {
    super(scope, id);
    this.props = props;
    const { settings, authorizer } = props;
    const name = cdk.Names.uniqueResourceName(this, { maxLength: 60, separator: '-' });
    this.rest = new apigateway.SpecRestApi(this, 'Rest', {
      restApiName: name,
      apiDefinition: apigateway.ApiDefinition.fromInline(
        apiBody({ name, authorizerArn: authorizer.functionArn, baseUrl: appOrigin(settings) }),
      ),
      // By default, an update would keep what the new document no longer names.
      mode: apigateway.RestApiMode.OVERWRITE,
      // The document has no field for this, and by default an import makes an edge-optimized API.
      endpointTypes: [apigateway.EndpointType.REGIONAL],
      parameters: { endpointConfigurationTypes: apigateway.EndpointType.REGIONAL },
      // Without this role API Gateway refuses access logs.
      cloudWatchRole: true,
      deploy: false,
    });
    acceptFindings(this.rest);
  }

  /**
   * Deploys the API with its functions. Not done in the constructor, because functions need the
   * distributions, which need the API.
   */
  deploy(functions: Record<RoutedFunction, SlipwayFunction>): void {
    const groups = Object.entries(functions);
    this.rest.deploymentStage = new apigateway.Stage(this.rest, 'Stage', {
      ...this.stage(),
      deployment: new apigateway.Deployment(this.rest, 'Deployment', { api: this.rest }),
      variables: Object.fromEntries(
        groups.map(([group, fn]) => [stageVariable(group), fn.functionName]),
      ),
    });
    // One permission per function: one per route would exceed the 20 kB limit of a function's policy.
    // They come before the stage, so that no request finds a function that may not be called.
    this.rest.deploymentStage.node.addDependency(
      this.permit('authorizer', this.props.authorizer, 'authorizers/*'),
      ...groups.map(([group, fn]) => this.permit(group, fn, '*/*/*')),
    );
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

  /** Lets API Gateway call a function for requests of this API; `source` is the end of an `execute-api` ARN. */
  private permit(id: string, fn: SlipwayFunction, source: string): lambda.CfnPermission {
    return new lambda.CfnPermission(this, `${id}Permission`, {
      action: 'lambda:InvokeFunction',
      functionName: fn.functionArn,
      principal: 'apigateway.amazonaws.com',
      sourceArn: cdk.Stack.of(this).formatArn({
        service: 'execute-api',
        resource: this.rest.restApiId,
        resourceName: source,
      }),
    });
  }

  private stage(): apigateway.StageOptions {
    const { throttles, logRetentionDays } = this.props.settings;
    const accessLog = new logs.LogGroup(this, 'AccessLog', {
      retention: logRetentionDays,
      removalPolicy: cdk.RemovalPolicy.DESTROY,
    });
    return {
      stageName: STAGE_NAME,
      // A trace of API Gateway records the whole URL, which may hold tokens. Functions are traced instead.
      tracingEnabled: false,
      throttlingRateLimit: throttles.requestsPerSecond,
      throttlingBurstLimit: throttles.burst,
      methodOptions: {
        ...methodThrottles(
          anonymousWrites(),
          throttles.anonymousWritesPerSecond,
          throttles.anonymousWritesBurst,
        ),
        // Its visitors must leave the throttle of the stage to callers. No more than the account has.
        ...methodThrottles(busyPages(), 10_000, 5000),
      },
      accessLogDestination: new apigateway.LogGroupLogDestination(accessLog),
      accessLogFormat: apigateway.AccessLogFormat.custom(JSON.stringify(accessLogFields)),
    };
  }
}

function methodThrottles(
  methods: readonly { path: string; method: string }[],
  throttlingRateLimit: number,
  throttlingBurstLimit: number,
): Record<string, apigateway.MethodDeploymentOptions> {
  return Object.fromEntries(
    methods.map(({ path, method }) => [
      `${path}/${method}`,
      { throttlingRateLimit, throttlingBurstLimit },
    ]),
  );
}

/** The rules of cdk-nag that this API breaks on purpose. */
function acceptFindings(rest: apigateway.SpecRestApi): void {
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
 * not say that it is the route's template when no route matched. A function's log has the route and
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

export interface ApiOriginProps {
  api: apigateway.IRestApi;
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

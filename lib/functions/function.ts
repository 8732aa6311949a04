import path from 'node:path';
import * as cdk from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as logs from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { EnvironmentName } from '../../contract/environment.ts';
import type { FunctionName } from './function-names.ts';

export interface SlipwayFunctionProps {
  name: FunctionName;
  /** Folder that holds `<name>/index.mjs` for every function. */
  bundlesDir: string;
  timeoutSeconds: number;
  memoryMb: number;
  logRetentionDays: number;
  /**
   * For a function that runs at each visit or each minute: it is not traced, and Lambda logs only its
   * failures.
   */
  runsOften?: boolean;
  /** At most this many run at the same time, and other functions never take their places. */
  reservedConcurrency?: number | undefined;
}

/**
 * A deployed function. Until a grant adds more, it may only write its own log and traces.
 *
 * The role is ours because the managed basic role may write to every log group of the account.
 */
export class SlipwayFunction extends lambda.Function {
  constructor(scope: Construct, id: string, props: SlipwayFunctionProps) {
    super(scope, id, {
      runtime: lambda.Runtime.NODEJS_24_X,
      architecture: lambda.Architecture.ARM_64,
      code: lambda.Code.fromAsset(path.join(props.bundlesDir, props.name)),
      handler: 'index.handler',
      description: `Slipway: ${props.name}`,
      timeout: cdk.Duration.seconds(props.timeoutSeconds),
      memorySize: props.memoryMb,
      ...(props.reservedConcurrency !== undefined && {
        reservedConcurrentExecutions: props.reservedConcurrency,
      }),
      ...observation(props.runsOften ?? false),
      loggingFormat: lambda.LoggingFormat.JSON,
      ...logAndRole(scope, id, props.logRetentionDays),
      environment: {
        POWERTOOLS_SERVICE_NAME: props.name,
        POWERTOOLS_LOG_LEVEL: 'INFO',
      },
    });
  }

  /** Accepts a finding of cdk-nag about what this function may do. */
  accept(id: string, reason: string): void {
    cdk.Validations.of(this.role ?? this).acknowledge({ id, reason });
  }

  /** Sets one of the variables of `contract/environment.ts`. */
  setVariable(name: EnvironmentName, value: string): void {
    this.addEnvironment(name, value);
  }

  /** Allows exactly these actions on exactly these resources. */
  allow(actions: string[], resources: string[], conditions?: Record<string, unknown>): void {
    this.addToRolePolicy(
      new iam.PolicyStatement({ actions, resources, ...(conditions && { conditions }) }),
    );
  }
}

/**
 * How long CloudFormation waits for a custom resource's function that never answers; the default is an
 * hour. Each function ends after two minutes at most.
 */
export const customResourceTimeout = cdk.Duration.minutes(5);

/**
 * A million traces cost $5, and Lambda makes one for the first request of each second. Lambda logs a
 * successful invocation as INFO; errors and timeouts are still logged.
 */
function observation(runsOften: boolean): Partial<lambda.FunctionProps> {
  return runsOften
    ? { tracing: lambda.Tracing.DISABLED, systemLogLevelV2: lambda.SystemLogLevel.WARN }
    : { tracing: lambda.Tracing.ACTIVE };
}

function logAndRole(scope: Construct, id: string, retention: number) {
  const logGroup = new logs.LogGroup(scope, `${id}Log`, {
    retention,
    removalPolicy: cdk.RemovalPolicy.DESTROY,
  });
  const role = new iam.Role(scope, `${id}Role`, {
    assumedBy: new iam.ServicePrincipal('lambda.amazonaws.com'),
  });
  logGroup.grantWrite(role);
  cdk.Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason:
      'X-Ray takes traces for the resource * only. lib/check/permissions.ts refuses every other action on it.',
  });
  return { logGroup, role };
}

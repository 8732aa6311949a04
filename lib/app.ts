import * as cdk from 'aws-cdk-lib';
import * as z from 'zod';
import { DataStack } from './data/data-stack.ts';
import { ServiceStack } from './service-stack.ts';
import { isLocal, type Settings } from './settings.ts';
import { defaultStage, stackNames } from './stages/stage-name.ts';
import { readFileSync } from 'node:fs';

/** Where the app finds function bundles and puts its templates. */
export interface AppOptions {
  /** Folder that holds `<function>/index.mjs` for every function. */
  bundlesDir: string;
  /** Folder for the cloud assembly; the CDK command sets its own. */
  outdir?: string;
  /** The stage, which is part of the stacks' names. */
  stage?: string;
}

/**
 * The whole infrastructure, the same for an installation in AWS and for the local cloud.
 *
 * Everything is in us-east-1, where CloudFront takes its certificates, web ACLs and tenants from.
 * No lookups: it synthesizes without AWS credentials, and for whichever account deploys it.
 */
export function buildApp(settings: Settings, options: AppOptions): cdk.App {
  const app = new cdk.App({
    analyticsReporting: false,
    // For people who read the assembly of a deployment. They take a second that `npm start` waits for.
    stackTraces: !isLocal(settings),
    treeMetadata: !isLocal(settings),
    ...(options.outdir !== undefined && { outdir: options.outdir }),
    context: featureFlags(),
    // The CDK's own validation is for deployments: it refuses the alias `localhost` and takes three seconds.
    builtinCloudFormationValidation: !isLocal(settings),
  });
  const env = { region: 'us-east-1' };
  const stage = options.stage ?? defaultStage;
  const names = stackNames(stage);
  const data = new DataStack(app, names.data, {
    env,
    description: 'Slipway: tables, published files and secrets',
    terminationProtection: true,
    settings,
  });
  // A tag for Billing, so that the cost of this installation can be told from the rest of the account.
  if (!isLocal(settings)) cdk.Tags.of(app).add('slipway', settings.appDomain);
  new ServiceStack(app, names.service, {
    env,
    description: 'Slipway: functions, API and distributions',
    settings,
    stage,
    bundlesDir: options.bundlesDir,
    data,
  });
  return app;
}

/** The value of `-c stage=…` of a `cdk` command. */
export function stageOfContext(): string | undefined {
  const value: unknown = new cdk.App({ autoSynth: false }).node.tryGetContext('stage');
  return typeof value === 'string' ? value : undefined;
}

const CdkJson = z.object({ context: z.record(z.string(), z.unknown()) });

/**
 * The feature flags of `cdk.json`. The CDK command passes them by itself. Without this, an app that
 * is synthesized in process (tests, the local cloud) would get other templates than a deployment.
 */
function featureFlags(): Record<string, unknown> {
  const text = readFileSync(new URL('../cdk.json', import.meta.url), 'utf8');
  return CdkJson.parse(JSON.parse(text)).context;
}

/**
 * Lets CloudFormation refuse every deployment of an app before it makes a resource, with the sentence of an
 * assertion (CloudFormation, "Rules section"). A rule must compare a parameter; the one here has a single
 * allowed value.
 */
export function refuseDeployment(app: cdk.App): void {
  for (const stack of app.node.children.filter(cdk.Stack.isStack)) {
    const settings = new cdk.CfnParameter(stack, 'Settings', {
      default: 'example',
      allowedValues: ['example'],
      description: 'Nobody has written the settings of this stage',
    });
    new cdk.CfnRule(stack, 'SettingsAreOwn', {
      assertions: [
        {
          assert: cdk.Fn.conditionContains(['own'], settings.valueAsString),
          assertDescription:
            'These are the settings of an example. Copy stages/example-minimal.json to stages/default.json, change its values and deploy again; docs/deploy.md leads through it.',
        },
      ],
    });
  }
}

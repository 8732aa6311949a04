import * as cdk from 'aws-cdk-lib';
import { DataStack } from './data/data-stack.ts';
import { featureFlags } from './feature-flags.ts';
import { ServiceStack } from './service-stack.ts';
import { isLocal, type Settings } from './settings.ts';

/** Where the app finds function bundles and puts its templates. */
export interface AppOptions {
  /** Folder that holds `<function>/index.mjs` for every function. */
  bundlesDir: string;
  /** Folder for the cloud assembly; the CDK command sets its own. */
  outdir?: string;
}

/**
 * The whole infrastructure, the same for a deployment and for the local cloud.
 *
 * Everything is in us-east-1, where CloudFront takes its certificates, web ACLs and tenants from.
 * No lookups: it synthesizes without AWS credentials, and for whichever account deploys it.
 */
export function buildApp(settings: Settings, options: AppOptions): cdk.App {
  const app = new cdk.App({
    analyticsReporting: false,
    ...(options.outdir !== undefined && { outdir: options.outdir }),
    context: featureFlags(),
    // Rules for what is deployed: an alias needs a dot, and a start under three seconds no rules.
    builtinCloudFormationValidation: !isLocal(settings),
  });
  const env = { region: 'us-east-1' };
  const data = new DataStack(app, 'SlipwayData', {
    env,
    description: 'Slipway: tables, published files and secrets',
    terminationProtection: true,
    settings,
  });
  new ServiceStack(app, 'SlipwayService', {
    env,
    description: 'Slipway: functions, API and distributions',
    settings,
    bundlesDir: options.bundlesDir,
    data,
  });
  return app;
}

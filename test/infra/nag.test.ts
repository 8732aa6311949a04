import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import * as cdk from 'aws-cdk-lib';
import * as s3 from 'aws-cdk-lib/aws-s3';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';
import { buildApp } from '../../lib/app.ts';
import { functionNames } from '../../lib/functions/function-names.ts';
import { parseSettings } from '../../lib/settings.ts';
import { fullSettings } from './synthesize.ts';

/** The synthesized app, because the rules read permissions as they are in the templates. */
function synthesized(
  settings: unknown,
  change: (app: cdk.App) => unknown = () => undefined,
): cdk.App {
  const dir = mkdtempSync(path.join(tmpdir(), 'slipway-nag-'));
  try {
    for (const name of functionNames) {
      mkdirSync(path.join(dir, 'bundles', name), { recursive: true });
      writeFileSync(path.join(dir, 'bundles', name, 'index.mjs'), `// ${name}`);
    }
    process.env['CDK_VALIDATION'] = 'false';
    const bundlesDir = path.join(dir, 'bundles');
    const app = buildApp(parseSettings(settings), { bundlesDir, outdir: path.join(dir, 'out') });
    change(app);
    app.synth();
    return app;
  } finally {
    rmSync(dir, { recursive: true });
  }
}

/** Findings of the rule pack that nobody has accepted, as `<construct>: <rule>`. */
function findings(app: cdk.App): string[] {
  return new AwsSolutionsChecks(app)
    .validateScope(app)
    .violations.flatMap(({ ruleName, violatingResources }) =>
      violatingResources.map(({ constructPath }) => `${constructPath}: ${ruleName}`),
    );
}

const full = synthesized(fullSettings);

describe('the rules of AWS Solutions (cdk-nag)', () => {
  test('find nothing in the deployed shape that is not argued', () => {
    expect(findings(full)).toEqual([]);
  });

  test('find nothing else without settings, and find planted faults', () => {
    const minimal = synthesized({}, (app) => {
      const stack = app.node.findChild('SlipwayService');
      return [new s3.Bucket(stack, 'Planted'), new sqs.Queue(stack, 'PlantedQueue')];
    });
    expect(findings(minimal)).toEqual([
      'SlipwayService/Planted/Resource: AwsSolutions-S1',
      'SlipwayService/Planted/Resource: AwsSolutions-S10',
      'SlipwayService/PlantedQueue/Resource: AwsSolutions-SQS3',
      'SlipwayService/PlantedQueue/Resource: AwsSolutions-SQS4',
    ]);
  });

  test('are accepted at one construct each, never for a stack, and with a reason', () => {
    const accepted = full.node.findAll().flatMap(acceptedAt);
    expect(accepted.length).toBeGreaterThan(20);
    for (const { construct, id, reason } of accepted) {
      expect([id, cdk.Stack.isStack(construct) || cdk.App.isApp(construct)]).toEqual([id, false]);
      expect(reason.length).toBeGreaterThan(30);
    }
  });

  test('the bucket, whose finding is accepted, does refuse requests without TLS', () => {
    const policies = full.node
      .findAll()
      .filter((construct) => construct instanceof s3.CfnBucketPolicy);
    // The bucket of projects, and that of the web app.
    expect(policies).toHaveLength(2);
    for (const { policyDocument } of policies) {
      const stack = cdk.Stack.of(full.node.findChild('SlipwayService'));
      expect(stack.resolve(policyDocument).Statement).toContainEqual(
        expect.objectContaining({
          Effect: 'Deny',
          Action: 's3:*',
          Condition: { Bool: { 'aws:SecureTransport': 'false' } },
        }),
      );
    }
  });
});

function acceptedAt(construct: IConstruct) {
  return construct.node.metadata
    .filter(({ type }) => type === cdk.Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
    .flatMap(({ data }) => Object.entries(data as Record<string, string>))
    .map(([id, reason]) => ({ construct, id, reason }));
}

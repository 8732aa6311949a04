import { readFileSync } from 'node:fs';
import * as z from 'zod';

const CdkJson = z.object({ context: z.record(z.string(), z.unknown()) });

/**
 * The feature flags of `cdk.json`. The CDK command passes them by itself; an app that is synthesized
 * in process (tests, the local cloud) would otherwise get other templates than a deployment.
 */
export function featureFlags(): Record<string, unknown> {
  const text = readFileSync(new URL('../cdk.json', import.meta.url), 'utf8');
  return Object.fromEntries(
    Object.entries(CdkJson.parse(JSON.parse(text)).context).filter(([name]) =>
      name.startsWith('@aws-cdk'),
    ),
  );
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { StartError } from '../errors.ts';

const Artifact = z.object({
  type: z.string(),
  displayName: z.string().optional(),
  dependencies: z.array(z.string()).default([]),
  properties: z
    .object({
      templateFile: z.string().optional(),
      stackName: z.string().optional(),
      file: z.string().optional(),
    })
    .loose()
    .default({}),
});

const Manifest = z.object({ artifacts: z.record(z.string(), Artifact) });

const AssetManifest = z.object({
  files: z
    .record(
      z.string(),
      z.object({
        source: z.object({ path: z.string(), packaging: z.string() }),
        destinations: z.record(z.string(), z.object({ objectKey: z.string() })),
      }),
    )
    .default({}),
  dockerImages: z.record(z.string(), z.unknown()).default({}),
});

/** The sections of a template; an unknown section stops the start. */
const Template = z.strictObject({
  AWSTemplateFormatVersion: z.string().optional(),
  Description: z.string().optional(),
  Metadata: z.unknown().optional(),
  Parameters: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
  Rules: z.record(z.string(), z.unknown()).default({}),
  Resources: z
    .record(
      z.string(),
      z.strictObject({
        Type: z.string(),
        Properties: z.record(z.string(), z.unknown()).default({}),
        DependsOn: z.union([z.string(), z.array(z.string())]).optional(),
        Metadata: z.unknown().optional(),
        DeletionPolicy: z.unknown().optional(),
        UpdateReplacePolicy: z.unknown().optional(),
      }),
    )
    .default({}),
  Outputs: z
    .record(
      z.string(),
      z.strictObject({
        Description: z.string().optional(),
        Value: z.unknown(),
        Export: z.object({ Name: z.unknown() }).optional(),
      }),
    )
    .default({}),
});
export type Template = z.infer<typeof Template>;

export interface Stack {
  name: string;
  template: Template;
}

export interface Assembly {
  /** In order of dependency. */
  stacks: Stack[];
  /** Directory or file of each asset, by its object key in the templates. */
  assets: Map<string, string>;
}

/** Changes a template's text before it is read. */
type Rewrite = (json: string) => string;

function readJson<T>(schema: z.ZodType<T>, file: string, rewrite: Rewrite = (json) => json): T {
  const result = schema.safeParse(JSON.parse(rewrite(readFileSync(file, 'utf8'))));
  if (!result.success) throw new StartError(`${file}: ${z.prettifyError(result.error)}`);
  return result.data;
}

function readAssets(file: string, dir: string, assets: Map<string, string>): void {
  const manifest = readJson(AssetManifest, file);
  if (Object.keys(manifest.dockerImages).length > 0) {
    throw new StartError(`${file}: container image assets cannot run in the local cloud.`);
  }
  for (const { source, destinations } of Object.values(manifest.files)) {
    for (const { objectKey } of Object.values(destinations)) {
      assets.set(objectKey, join(dir, source.path));
    }
  }
}

/** Artifact ids in order of dependency; `cdk synth` guarantees that there are no cycles. */
function dependencyOrder(artifacts: z.infer<typeof Manifest>['artifacts']): string[] {
  const done = new Set<string>();
  const visit = (id: string) => {
    if (done.has(id)) return;
    done.add(id);
    const before = artifacts[id]?.dependencies ?? [];
    before.filter((other) => !id.startsWith(`${other}.`)).forEach(visit);
    order.push(id);
  };
  const order: string[] = [];
  Object.keys(artifacts).forEach(visit);
  return order;
}

const NO_LOCAL_EFFECT = new Set([
  'cdk:tree',
  'cdk:feature-flag-report',
  'cdk:policy-validation-report',
]);

/** Reads the output of `cdk synth`: the template of each stack and the path of each asset. */
export function readAssembly(dir: string, rewrite?: Rewrite): Assembly {
  const { artifacts } = readJson(Manifest, join(dir, 'manifest.json'));
  const assembly: Assembly = { stacks: [], assets: new Map() };
  for (const id of dependencyOrder(artifacts)) {
    const artifact = artifacts[id];
    if (artifact === undefined || NO_LOCAL_EFFECT.has(artifact.type)) continue;
    const { templateFile, file, stackName } = artifact.properties;
    if (artifact.type === 'aws:cloudformation:stack' && templateFile !== undefined) {
      const template = readJson(Template, join(dir, templateFile), rewrite);
      assembly.stacks.push({ name: stackName ?? id, template });
    } else if (artifact.type === 'cdk:asset-manifest' && file !== undefined) {
      readAssets(join(dir, file), dir, assembly.assets);
    } else {
      throw new StartError(`The local cloud does not know artifact type ${artifact.type} (${id}).`);
    }
  }
  return assembly;
}

import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { functionNames } from '../../lib/functions/function-names.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- a template is any JSON; tests read it by path
export type Json = any;

export interface Resource {
  Type: string;
  Properties: Record<string, Json>;
  DependsOn?: string[];
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
}

export interface Synthesized {
  Resources: Record<string, Resource>;
  Outputs: Record<string, { Value: unknown }>;
}

export const localSettings = {
  appDomain: 'localhost:8787',
  sitesDomain: 'sites.localhost:8787',
};

/** Every setting given: certificates, mail, alarms by mail, budget, logs, firewall. */
export const fullSettings = {
  appDomain: 'app.example.org',
  sitesDomain: 'example.site',
  sitesDomainOnPublicSuffixList: true,
  appCertificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/a1',
  sitesCertificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/b2',
  mailFrom: 'hello@mail.example.org',
  alarmEmail: 'ops@example.org',
  monthlyBudget: 20,
  edgeLogs: true,
  waf: true,
};

export interface Assembly {
  data: Synthesized;
  service: Synthesized;
  warnings: unknown[];
}

/**
 * Both templates for these settings. The first test file of a run that asks makes them; the others read
 * them, and do not even load the CDK.
 */
export async function synthesize(input: unknown = {}): Promise<Assembly> {
  const dir = process.env['SYNTHESIZED_DIR'];
  if (dir === undefined) return synthesizeNow(input);
  const name = createHash('sha256').update(JSON.stringify(input)).digest('hex');
  const made = path.join(dir, `${name}.json`);
  if (existsSync(made)) return JSON.parse(readFileSync(made, 'utf8'));
  const assembly = await synthesizeNow(input);
  // Another file may be reading: it finds all of it or nothing.
  const draft = `${made}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(assembly));
  renameSync(draft, made);
  return assembly;
}

/**
 * Makes both templates from empty bundles. The CDK's own rules take most of the time, so only the
 * test that asks for them runs them; a finding then throws.
 */
export async function synthesizeNow(
  input: unknown,
  { validate = false, stage = 'default' } = {},
): Promise<Assembly> {
  const { SynthesisMessageLevel } = await import('aws-cdk-lib/cx-api');
  const { buildApp } = await import('../../lib/app.ts');
  const { parseSettings } = await import('../../lib/settings.ts');
  const { stackNames } = await import('../../lib/stages/stage-name.ts');
  const names = stackNames(stage);
  process.env['CDK_VALIDATION'] = String(validate);
  const dir = mkdtempSync(path.join(tmpdir(), 'slipway-infra-'));
  try {
    for (const name of functionNames) {
      mkdirSync(path.join(dir, 'bundles', name), { recursive: true });
      writeFileSync(path.join(dir, 'bundles', name, 'index.mjs'), `// ${name}`);
    }
    const app = buildApp(parseSettings(input), {
      bundlesDir: path.join(dir, 'bundles'),
      outdir: path.join(dir, 'out'),
      stage,
    });
    const assembly = app.synth();
    return {
      data: assembly.getStackByName(names.data).template as Synthesized,
      service: assembly.getStackByName(names.service).template as Synthesized,
      warnings: assembly.stacks
        .flatMap(({ messages }) => messages)
        .filter(({ level }) => level === SynthesisMessageLevel.WARNING)
        .map(({ entry }) => entry.data),
    };
  } finally {
    rmSync(dir, { recursive: true });
  }
}

export function ofType(template: Synthesized, type: string): Resource[] {
  return Object.values(template.Resources).filter((resource) => resource.Type === type);
}

export function onlyOf(template: Synthesized, type: string): Resource {
  const found = ofType(template, type);
  if (found.length !== 1 || found[0] === undefined) {
    throw new Error(`${found.length} resources of type ${type}`);
  }
  return found[0];
}

/** The one resource of a type whose logical id starts with these letters. */
export function named(template: Synthesized, type: string, prefix: string): Resource {
  const found = Object.entries(template.Resources).filter(
    ([id, resource]) => resource.Type === type && new RegExp(`^${prefix}[0-9A-F]{8}$`).test(id),
  );
  if (found.length !== 1 || found[0] === undefined) {
    throw new Error(`${found.length} resources named ${prefix}`);
  }
  return found[0][1];
}

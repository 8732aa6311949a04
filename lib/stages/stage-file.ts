import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { parseSettings, type Settings, SettingsError } from '../settings.ts';
import { deployableProblems } from './deployable.ts';
import { defaultStage, StageName } from './stage-name.ts';

/** A stage: its name and everything that its settings file chooses. */
export interface Stage {
  name: string;
  settings: Settings;
  /** Settings with placeholder domains, which cannot be deployed. */
  isExample?: boolean;
}

const stagesFolder = fileURLToPath(new URL('../../stages', import.meta.url));

/**
 * The settings that `stages/NAME.json` writes, without defaults.
 * @throws SettingsError
 */
export function readStageFile(name: string, folder = stagesFolder): Record<string, unknown> {
  const parsed = StageName.safeParse(name);
  if (!parsed.success) {
    throw new SettingsError(
      `${JSON.stringify(name)} is not the name of a stage: it must be 1 to 16 lowercase letters and digits, and begin with a letter.`,
    );
  }
  const file = path.join(folder, `${name}.json`);
  if (!existsSync(file)) throw new SettingsError(missingFile(name, folder));
  const { $schema: _, ...settings } = parseJsonObject(file, `stages/${name}.json`);
  return settings;
}

/**
 * A stage from `stages/NAME.json`. Its settings are valid, but may lack what a deployment needs.
 * @throws SettingsError
 */
export function readStage(name: string, folder = stagesFolder): Stage {
  return { name, settings: parseSettings(readStageFile(name, folder), `stages/${name}.json`) };
}

/**
 * A stage that can be deployed as it is.
 * @throws SettingsError that names every placeholder, every missing setting, and domains of other stages
 */
export function readDeployableStage(name: string, folder = stagesFolder): Stage {
  const stage = readStage(name, folder);
  const problems = [...deployableProblems(stage.settings), ...sharedDomains(stage, folder)];
  if (problems.length === 0) return stage;
  const lines = problems.map((problem) => `- ${problem}`);
  throw new SettingsError(`stages/${name}.json cannot be deployed yet:\n${lines.join('\n')}`);
}

const Domains = z.object({ appDomain: z.string().optional(), sitesDomain: z.string().optional() });

/** Domains that another stage's file names too: CloudFront gives a name to one distribution only. */
function sharedDomains({ name, settings }: Stage, folder: string): string[] {
  const own = ['appDomain', 'sitesDomain'] as const;
  const others = listStages(folder).filter((other) => other !== name);
  return others.flatMap((other) => {
    const theirs = readDomains(other, folder);
    return own
      .filter((key) => theirs.includes(settings[key]))
      .map(
        (key) =>
          `${key} ${settings[key]} is a domain of stages/${other}.json too. Choose another one, or remove that file if its stage is destroyed.`,
      );
  });
}

/** The domains in a stage's file; none if it is invalid, which commands on that stage report. */
function readDomains(name: string, folder: string): string[] {
  try {
    const { appDomain, sitesDomain } = Domains.parse(readStageFile(name, folder));
    return [appDomain, sitesDomain].filter((domain) => domain !== undefined);
  } catch {
    return [];
  }
}

/**
 * The stage of a `cdk` command: the named one, else `default`, else an example under that name.
 * @param name the value of `-c stage=…`
 * @throws SettingsError
 */
export function chosenStage(name: string | undefined): Stage {
  if (name !== undefined) return readDeployableStage(name);
  if (listStages().includes(defaultStage)) return readDeployableStage(defaultStage);
  return { ...readExample('minimal'), name: defaultStage, isExample: true };
}

/** The stages that have a file. */
export function listStages(folder = stagesFolder): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .map((file) => /^(.+)\.json$/.exec(file)?.[1] ?? '')
    .filter((name) => StageName.safeParse(name).success)
    .toSorted();
}

/** The examples in `stages/`. Their domains are placeholders, so they can be synthesized but not deployed. */
export function readExamples(): Stage[] {
  return readdirSync(stagesFolder).flatMap((file) => {
    const name = /^example-([a-z]+)\.json$/.exec(file)?.[1];
    return name === undefined ? [] : [readExample(name)];
  });
}

function readExample(name: string): Stage {
  const file = `example-${name}.json`;
  const { $schema: _, ...settings } = parseJsonObject(path.join(stagesFolder, file), file);
  return { name: `example${name}`, settings: parseSettings(settings, file) };
}

function missingFile(name: string, folder: string): string {
  const others = listStages(folder);
  const known = others.length === 0 ? '' : ` The stages are ${others.join(', ')}.`;
  return `stages/${name}.json does not exist.${known} For a new stage, copy stages/example-minimal.json to it and change the values (docs/deploy.md).`;
}

function parseJsonObject(file: string, name: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new SettingsError(`${name} is not JSON: ${String(error)}`);
  }
  const settings = z.record(z.string(), z.unknown()).safeParse(value);
  if (settings.success) return settings.data;
  throw new SettingsError(`${name} must be a JSON object with settings.`);
}

import { parseJson } from '../core/json.ts';
import * as z from 'zod';
import { DEFAULT_PORT } from '../local/cloud.ts';
import { StartError } from '../local/errors.ts';

/** Settings for a laptop, which override all others. */
const LOCAL_SETTINGS = {
  appDomain: `localhost:${DEFAULT_PORT}`,
  sitesDomain: `sites.localhost:${DEFAULT_PORT}`,
  mailFrom: 'hello@slipway.example',
  mailIdentity: 'domain',
  securityContact: 'security@slipway.example',
  policies: {
    privacy: 'https://slipway.example/privacy',
    terms: 'https://slipway.example/terms',
  },
  // What watches and protects an installation in AWS does nothing on a laptop.
  waf: false,
  alarmEmail: undefined,
  monthlyBudget: undefined,
  edgeLogs: false,
  appCertificateArn: undefined,
  sitesCertificateArn: undefined,
  appZone: undefined,
  sitesZone: undefined,
};

/**
 * The settings of a local cloud: those of a stage, changed by each `--setting` in turn, then by
 * {@link LOCAL_SETTINGS}.
 * @throws StartError for an assignment that has not the form `name=value`
 */
export function localSettings(
  assignments: readonly string[],
  stage: Record<string, unknown> = {},
): Record<string, unknown> {
  return { ...assignments.reduce(withSetting, stage), ...LOCAL_SETTINGS };
}

const Settings = z.record(z.string(), z.unknown());

/** Replaces one setting, written as `plans.free.maxProjects=3`; a value that is not JSON is a string. */
function withSetting(
  settings: Record<string, unknown>,
  assignment: string,
): Record<string, unknown> {
  const [, name, rest, value] = /^([A-Za-z]+)((?:\.[A-Za-z]+)*)=(.*)$/s.exec(assignment) ?? [];
  if (name === undefined || rest === undefined || value === undefined) {
    throw new StartError(`${assignment} is not a setting. Write it as --setting trialDays=0.`);
  }
  const inner = Settings.safeParse(settings[name]).data ?? {};
  const own = rest === '' ? jsonOrText(value) : withSetting(inner, `${rest.slice(1)}=${value}`);
  return { ...settings, [name]: own };
}

function jsonOrText(text: string): unknown {
  const value = parseJson(text);
  return value === undefined ? text : value;
}

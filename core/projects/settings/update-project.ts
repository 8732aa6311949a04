import type { Access, SettingExpiresIn, Slug } from '../../../contract/fields.ts';
import { settingNames } from '../../../contract/project-settings.ts';
import type { AccountCaller } from '../../caller.ts';
import type { Addresses } from '../addresses/addresses.ts';
import {
  type ChangeProjectDeps,
  changeProject,
  type Met,
  notYours,
  slugTaken,
} from './change-project.ts';
import type { Next } from './change.ts';
import { endAfter } from '../removal/ending.ts';
import { hashPassword } from './password-hash.ts';
import { passwordWarnings } from './password-warning.ts';
import type { Project } from '../project.ts';
import { isReserved } from '../addresses/reserved-slugs.ts';

/** What changing settings needs. */
export interface UpdateProjectDeps extends ChangeProjectDeps {
  addresses: Addresses;
  brand: string;
}

const plainNames = ['title', 'status', 'access', 'workspaceId', ...settingNames] as const;

/** What is to change of a project; what is not named stays. */
export interface ProjectUpdate
  extends Partial<Pick<Project, Exclude<(typeof plainNames)[number], 'access'>>> {
  slug?: Slug | undefined;
  domainId?: string | null | undefined;
  access?: Access | undefined;
  password?: string | null | undefined;
  expiresIn?: SettingExpiresIn | undefined;
}

/**
 * Changes settings of the caller's project; they hold from the next request of a visitor on.
 * @throws CodedError NOT_FOUND, SLUG_TAKEN, UPLOAD_INCOMPLETE
 */
export async function updateProject(
  deps: UpdateProjectDeps,
  caller: AccountCaller,
  { projectId, ...settings }: ProjectUpdate & { projectId: string },
) {
  if (typeof settings.domainId === 'string') throw notYours('domainId', 'domain');
  const askedAt = deps.now();
  // Once, however often the change has to be made again: it is slow on purpose.
  const password = await passwordFields(settings);
  const project = await changeProject(deps, caller, projectId, (met) => {
    const fields = {
      ...plainFields(settings),
      // Whoever asks for a password again has to choose one.
      ...(settings.access !== undefined &&
        settings.access !== 'password' && { passwordHash: null }),
      ...(password !== undefined && passwordFor(met.project, settings, password)),
      ...addressFields(deps, met, settings.slug),
      ...expiryFields(settings.expiresIn, askedAt),
    };
    return Object.keys(fields).length === 0 ? undefined : { fields, live: met.live };
  });
  const updated = Object.values(settings).some((value) => value !== undefined);
  return { updated, ...warningsOf(settings, project.passwordHash === password) };
}

/** Of a password only where it took effect. */
function warningsOf({ password }: ProjectUpdate, isSet: boolean) {
  const warnings = isSet && typeof password === 'string' ? passwordWarnings(password) : [];
  return warnings.length === 0 ? {} : { warnings };
}

function plainFields(settings: ProjectUpdate): Next['fields'] {
  const sent = plainNames.filter((name) => settings[name] !== undefined);
  return Object.fromEntries(sent.map((name) => [name, settings[name]]));
}

/** `undefined` where nothing is said of a password; null clears it. */
async function passwordFields({ password }: ProjectUpdate): Promise<string | null | undefined> {
  return typeof password === 'string' ? hashPassword(password) : password;
}

/**
 * A password has no effect where visitors are not asked for one. Where they are, clearing it opens
 * the project for nobody until there is another.
 */
function passwordFor(
  project: Project,
  { access = project.access }: ProjectUpdate,
  passwordHash: string | null,
): Next['fields'] {
  return access === 'password' || passwordHash === null ? { passwordHash } : {};
}

function addressFields(
  { addresses, brand }: UpdateProjectDeps,
  { project }: Met,
  slug: Slug | undefined,
): Next['fields'] {
  if (slug === undefined || slug === project.slug) return {};
  if (isReserved(slug, brand)) throw slugTaken(slug);
  return { slug, host: addresses.hostOf(slug) };
}

function expiryFields(expiresIn: SettingExpiresIn | undefined, askedAt: Date): Next['fields'] {
  if (expiresIn === undefined) return {};
  return { expiresAt: expiresIn === 'none' ? null : endAfter(expiresIn, askedAt) };
}

import type { Access, SettingExpiresIn, Slug } from '../../../contract/fields.ts';
import { settingNames } from '../../../contract/project-settings.ts';
import type { AccountCaller } from '../../caller.ts';
import type { Addresses } from '../addresses/addresses.ts';
import { changeProject, type ChangeProjectDeps, type ProjectSnapshot } from './change-project.ts';
import { isReserved, slugTaken } from '../addresses/check-slug.ts';
import { type NextProjectState, referenceNotFound } from './project-change.ts';
import { expiryAfter } from '../removal/expiry.ts';
import { hashPassword, passwordWarnings } from './passwords.ts';
import type { Project } from '../project.ts';

/** Dependencies of {@link updateProject}. */
export interface UpdateProjectDeps extends ChangeProjectDeps {
  addresses: Addresses;
  brand: string;
}

const plainSettingNames = ['title', 'status', 'access', 'workspaceId', ...settingNames] as const;

/** The settings to change; missing ones keep their values. */
export interface ProjectUpdate
  extends Partial<Pick<Project, Exclude<(typeof plainSettingNames)[number], 'access'>>> {
  slug?: Slug | undefined;
  domainId?: string | null | undefined;
  access?: Access | undefined;
  password?: string | null | undefined;
  expiresIn?: SettingExpiresIn | undefined;
}

/**
 * Changes settings of the caller's project. They apply from the next request of a visitor on.
 * @throws CodedError NOT_FOUND, SLUG_TAKEN, UPLOAD_INCOMPLETE
 */
export async function updateProject(
  deps: UpdateProjectDeps,
  caller: AccountCaller,
  { projectId, ...settings }: ProjectUpdate & { projectId: string },
) {
  if (typeof settings.domainId === 'string') throw referenceNotFound('domainId', 'domain');
  const requestedAt = deps.now();
  // Hashed once, outside of the retries: it is slow on purpose.
  const password = await hashNewPassword(settings);
  const project = await changeProject(deps, caller, projectId, (snapshot) => {
    const fields = {
      ...changedSettings(settings),
      // A later change back to `password` needs a new password.
      ...(settings.access !== undefined &&
        settings.access !== 'password' && { passwordHash: null }),
      ...(password !== undefined && passwordSettings(snapshot.project, settings, password)),
      ...addressFields(deps, snapshot, settings.slug),
      ...expiryFields(settings.expiresIn, requestedAt),
    };
    return Object.keys(fields).length === 0 ? undefined : { fields, live: snapshot.live };
  });
  const updated = Object.values(settings).some((value) => value !== undefined);
  return { updated, ...passwordWarningsOf(settings, project.passwordHash === password) };
}

/** Only for a password that took effect. */
function passwordWarningsOf({ password }: ProjectUpdate, isSet: boolean) {
  const warnings = isSet && typeof password === 'string' ? passwordWarnings(password) : [];
  return warnings.length === 0 ? {} : { warnings };
}

function changedSettings(settings: ProjectUpdate): NextProjectState['fields'] {
  const sent = plainSettingNames.filter((name) => settings[name] !== undefined);
  return Object.fromEntries(sent.map((name) => [name, settings[name]]));
}

/** `undefined` where no password was sent; null clears it. */
async function hashNewPassword({ password }: ProjectUpdate): Promise<string | null | undefined> {
  return typeof password === 'string' ? hashPassword(password) : password;
}

/**
 * A password has no effect unless `access` is `password`. If it is, clearing the password locks the
 * project for all visitors until there is a new one.
 */
function passwordSettings(
  project: Project,
  { access = project.access }: ProjectUpdate,
  passwordHash: string | null,
): NextProjectState['fields'] {
  return access === 'password' || passwordHash === null ? { passwordHash } : {};
}

function addressFields(
  { addresses, brand }: UpdateProjectDeps,
  { project }: ProjectSnapshot,
  slug: Slug | undefined,
): NextProjectState['fields'] {
  if (slug === undefined || slug === project.slug) return {};
  if (isReserved(slug, brand)) throw slugTaken(slug);
  return { slug, host: addresses.hostOf(slug) };
}

function expiryFields(
  expiresIn: SettingExpiresIn | undefined,
  requestedAt: Date,
): NextProjectState['fields'] {
  if (expiresIn === undefined) return {};
  return { expiresAt: expiresIn === 'none' ? null : expiryAfter(expiresIn, requestedAt) };
}

import type { Access, Notify, Slug } from '../../../contract/fields.ts';
import { daySeconds } from '../../../contract/limits.ts';
import { settingNames } from '../../../contract/project-settings.ts';
import { requireKeyForMove } from '../../accounts/keys/permissions.ts';
import type { AccountCaller } from '../../caller.ts';
import { invalidField } from '../../errors.ts';
import { countAttempt, type Counters } from '../../limits/counters.ts';
import type { Addresses } from '../addresses/addresses.ts';
import { requireAssignable } from '../../domains/assign-domain.ts';
import type { StoredDomain } from '../../domains/domain.ts';
import type { DomainStore } from '../../domains/ports.ts';
import {
  changeAnyProject,
  type ChangeProjectDeps,
  type UnpublishedSnapshot,
} from '../change/change-project.ts';
import { isReserved, slugTaken } from '../addresses/check-slug.ts';
import type { NextProjectState } from '../change/project-change.ts';
import { type ChosenExpiry, expiryOf } from '../removal/expiry.ts';
import { hashPassword, passwordWarnings } from './passwords.ts';
import { changedPeople, type PeopleDeps, requireMail, requirePeople } from './people.ts';
import type { Project } from '../project.ts';

/** Dependencies of {@link updateProjectSettings}. */
export interface UpdateProjectDeps extends ChangeProjectDeps, PeopleDeps {
  addresses: Addresses;
  brand: string;
  counters: Pick<Counters, 'count'>;
  domains: Pick<DomainStore, 'get'>;
}

/**
 * How many new addresses the projects of an account may get in a day: each former one stays
 * reserved for 90 days.
 */
const newAddresses = { limit: 100, windowSeconds: daySeconds };

const plainSettingNames = ['title', 'status', 'access', 'workspaceId', ...settingNames] as const;

/** The settings to change; missing ones keep their values. */
export interface ProjectUpdate
  extends Partial<Pick<Project, Exclude<(typeof plainSettingNames)[number], 'access'>>>,
    ChosenExpiry {
  slug?: Slug | undefined;
  domainId?: string | null | undefined;
  access?: Access | undefined;
  password?: string | null | undefined;
  people?: string[] | undefined;
  deniedPeople?: string[] | undefined;
  notify?: Notify | undefined;
}

/**
 * Changes settings of the caller's project; a list of people replaces the earlier one. They apply from the next request of a visitor on.
 * @throws CodedError NOT_FOUND, FORBIDDEN, RATE_LIMITED, SLUG_TAKEN, VALIDATION_FAILED
 */
export async function updateProjectSettings(
  deps: UpdateProjectDeps,
  caller: AccountCaller,
  { projectId, ...settings }: ProjectUpdate & { projectId: string },
) {
  const domain = await newDomain(deps, caller, settings.domainId);
  const requestedAt = deps.now();
  const expiresAt = expiryOf(settings, requestedAt, 'VALIDATION_FAILED');
  // Hashed once, outside of the retries: it is slow on purpose.
  const password = await hashNewPassword(settings);
  requireMail(deps, settings.access, 'VALIDATION_FAILED');
  let isCounted = false;
  const project = await changeAnyProject(deps, caller, projectId, async (snapshot) => {
    requireKeyForMove(caller, snapshot.project, settings);
    requireOpenDoor(snapshot.project, settings);
    const people = await changedPeople(deps, caller, snapshot, settings);
    const access = settings.access ?? snapshot.project.access;
    if (settings.access !== undefined || people !== undefined) {
      await requirePeople(deps, snapshot.project, { access, people });
    }
    const address = addressFields(deps, snapshot, settings.slug, domain);
    if (address.host !== undefined && !isCounted) {
      await countNewAddress(deps, caller, requestedAt);
      isCounted = true;
    }
    const fields = {
      ...changedSettings(settings),
      // A later change back to `password` needs a new password.
      ...(settings.access !== undefined &&
        settings.access !== 'password' && { passwordHash: null }),
      ...(password !== undefined && passwordSettings(snapshot.project, settings, password)),
      ...(people !== undefined && { peopleStamp: people.stamp }),
      ...address,
      ...notifyFields(snapshot.project, settings),
      ...(expiresAt !== undefined && { expiresAt }),
    };
    return Object.keys(fields).length === 0 ? undefined : { fields, live: snapshot.live, people };
  });
  const updated = Object.values(settings).some((value) => value !== undefined);
  return { updated, ...passwordWarningsOf(settings, project.passwordHash === password) };
}

async function countNewAddress(
  { counters }: UpdateProjectDeps,
  caller: AccountCaller,
  now: Date,
): Promise<void> {
  const key = `new-addresses#${caller.account.id}`;
  await countAttempt(counters, caller, { key, rule: newAddresses, what: 'new addresses' }, now);
}

/** Without a password nobody could open a project that asks for one. */
function requireOpenDoor(
  { access: before }: Project,
  { access = before, password }: ProjectUpdate,
) {
  if (access !== 'password' || password !== null) return;
  throw invalidField('password', 'cannot be removed while `access` is `password`', {
    code: 'VALIDATION_FAILED',
    nextStep:
      'Send a new `password` to replace it, or `access: public` (or `private`) to stop asking for one.',
  });
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

/** A new choice begins anew: the next open is its first. */
function notifyFields(
  { notify: before }: Project,
  { notify = before ?? 'off' }: ProjectUpdate,
): NextProjectState['fields'] {
  if (notify === (before ?? 'off')) return {};
  return { notify: notify === 'off' ? undefined : notify, firstOpenMailedAt: undefined };
}

/** The domain that a project is to move to; null: to none; undefined: it stays. */
async function newDomain(
  deps: UpdateProjectDeps,
  caller: AccountCaller,
  domainId: string | null | undefined,
): Promise<StoredDomain | null | undefined> {
  return typeof domainId === 'string' ? requireAssignable(deps, caller, domainId) : domainId;
}

function addressFields(
  { addresses, brand }: UpdateProjectDeps,
  { project }: UnpublishedSnapshot,
  slug: Slug = project.slug,
  domain?: StoredDomain | null,
): NextProjectState['fields'] {
  const domainId = domain === undefined ? project.domainId : (domain?.id ?? null);
  if (slug === project.slug && domainId === project.domainId) return {};
  if (isReserved(slug, domainId === null ? brand : undefined)) throw slugTaken(slug);
  // A project that keeps its domain keeps the rest of its host.
  const host =
    domainId === project.domainId
      ? slug + project.host.slice(project.slug.length)
      : addresses.hostOf(slug, domain?.name);
  return { slug, host, domainId };
}

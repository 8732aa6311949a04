import { randomBytes } from 'node:crypto';
import type { Access } from '../../../contract/fields.ts';
import type { PlanLimits } from '../../../contract/plans.ts';
import { normaliseEmail } from '../../accounts/account.ts';
import type { AccountCaller } from '../../caller.ts';
import { CodedError } from '../../errors.ts';
import { countAttempt, type Counters } from '../../limits/counters.ts';
import { isForPeople, type PeopleList } from '../../people/people-list.ts';
import type { VisitorStore } from '../../people/visitor.ts';
import type { Project } from '../project.ts';

/** The dependencies for changing who may prove an address to a project. */
export interface PeopleDeps {
  visitors: Pick<VisitorStore, 'listOf'>;
  /** Whether the installation can mail codes to visitors. */
  sendsMail: boolean;
}

/** The lists that an owner sends; what is absent keeps its value. */
interface ChosenPeople {
  people?: readonly string[] | undefined;
  deniedPeople?: readonly string[] | undefined;
}

type BadFields = 'INVALID_REQUEST' | 'VALIDATION_FAILED';

/**
 * Nobody could come in where no mail brings the code.
 * @throws CodedError
 */
export function requireMail(
  { sendsMail }: Pick<PeopleDeps, 'sendsMail'>,
  access: Access | undefined,
  code: BadFields,
): void {
  if (access === undefined || !isForPeople(access) || sendsMail) return;
  throw refusal(code, 'access', `cannot be \`${access}\`: this service sends no mail`, {
    nextStep:
      'Choose another `access`, or use share links. The operator can set `mailFrom` and deploy again.',
  });
}

/** The list of people of a project; undefined where it never had one. */
export async function peopleOf(
  { visitors }: Pick<PeopleDeps, 'visitors'>,
  { id, peopleStamp }: Project,
): Promise<PeopleList | undefined> {
  return peopleStamp === undefined ? undefined : visitors.listOf(id, peopleStamp);
}

/** A list as its owner sees it. Pure. */
export function describePeople(list: PeopleList | undefined) {
  return list && { people: list.people, deniedPeople: list.deniedPeople };
}

/** The list of a new project. @throws CodedError INVALID_REQUEST, RATE_LIMITED */
export async function newPeople(
  deps: AdmitDeps,
  { caller, limits }: { caller: AccountCaller; limits: PlanLimits },
  { access, ...chosen }: ChosenPeople & { access: Access },
): Promise<PeopleList | undefined> {
  const list = withChoices(undefined, chosen);
  await admitPeople(deps, caller, { list, limits, code: 'INVALID_REQUEST' });
  if (access === 'people' && (list === undefined || list.people.length === 0)) {
    throw peopleMissing('INVALID_REQUEST');
  }
  return list;
}

/**
 * The project's list with these changes; undefined where they change nothing.
 * @throws CodedError VALIDATION_FAILED, RATE_LIMITED
 */
export async function changedPeople(
  deps: Pick<PeopleDeps, 'visitors'> & AdmitDeps,
  caller: AccountCaller,
  { project, limits }: { project: Project; limits: PlanLimits },
  chosen: ChosenPeople,
): Promise<PeopleList | undefined> {
  if (chosen.people === undefined && chosen.deniedPeople === undefined) return undefined;
  const before = await peopleOf(deps, project);
  const list = withChoices(before, chosen);
  if (list === undefined || isSameList(list, before)) return undefined;
  await admitPeople(deps, caller, { list, limits, code: 'VALIDATION_FAILED', before });
  return list;
}

function isSameList(list: PeopleList, before: PeopleList | undefined): boolean {
  const facts = (one: PeopleList) => JSON.stringify([one.people, one.deniedPeople]);
  return before !== undefined && facts(list) === facts(before);
}

/** Without people nobody could open a project that is for them. @throws CodedError VALIDATION_FAILED */
export async function requirePeople(
  deps: Pick<PeopleDeps, 'visitors'>,
  project: Project,
  { access, people }: { access: Access; people: PeopleList | undefined },
): Promise<void> {
  if (access !== 'people') return;
  const list = people ?? (await peopleOf(deps, project));
  if (list === undefined || list.people.length === 0) throw peopleMissing('VALIDATION_FAILED');
}

function withChoices(
  before: PeopleList | undefined,
  { people, deniedPeople }: ChosenPeople,
): PeopleList | undefined {
  if (people === undefined && deniedPeople === undefined) return undefined;
  return {
    stamp: randomBytes(9).toString('base64url'),
    people: normalised(people ?? before?.people ?? []),
    deniedPeople: normalised(deniedPeople ?? before?.deniedPeople ?? []),
  };
}

/** Each entry once, in the order in which the owner wrote them. */
function normalised(entries: readonly string[]): string[] {
  return [...new Set(entries.map(normaliseEmail))];
}

interface AdmitDeps {
  counters: Pick<Counters, 'count'>;
  now: () => Date;
}

/** A list is one row, up to 250 kB, and each change writes all of it: for DynamoDB a write unit a kilobyte, twice. */
const writtenEntries = { limit: 10_000, windowSeconds: 3600 };

/**
 * Admits a list before it is written. Each half may have as many entries as the plan allows; one that has more since
 * a larger plan may stay, and become shorter.
 * @throws CodedError `code`; RATE_LIMITED beyond 10,000 entries of an account in an hour
 */
export async function admitPeople(
  deps: AdmitDeps,
  caller: AccountCaller,
  { list, limits: { maxPeople }, code, before }: AdmittedList,
): Promise<void> {
  if (list === undefined) return;
  for (const path of ['people', 'deniedPeople'] as const) {
    const most = Math.max(maxPeople, before?.[path].length ?? 0);
    if (maxPeople === -1 || list[path].length <= most) continue;
    throw refusal(code, path, `may have at most ${maxPeople} entries on your plan`, {
      nextStep: 'Shorten the list, or use one entry for a whole domain, such as `@example.com`.',
    });
  }
  const counted = {
    key: `people-entries#${caller.account.id}`,
    rule: writtenEntries,
    what: 'entries of lists of people, all of which a change writes',
    events: Math.max(1, list.people.length + list.deniedPeople.length),
  };
  await countAttempt(deps.counters, caller, counted, deps.now());
}

interface AdmittedList {
  list: PeopleList | undefined;
  limits: Pick<PlanLimits, 'maxPeople'>;
  code: BadFields;
  before?: PeopleList | undefined;
}

function peopleMissing(code: BadFields): CodedError {
  return refusal(code, 'people', 'is required when `access` is `people`', {
    nextStep: 'Send `people` with at least one e-mail address, or a domain such as `@example.com`.',
  });
}

function refusal(code: BadFields, path: string, message: string, next: { nextStep: string }) {
  const details = [{ path, message }];
  return new CodedError(code, { error: `${path}: ${message}.`, ...next, details });
}

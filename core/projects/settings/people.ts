import { randomBytes } from 'node:crypto';
import type { Access } from '../../../contract/fields.ts';
import type { PlanLimits } from '../../../contract/plans.ts';
import { normaliseEmail } from '../../accounts/account.ts';
import { CodedError } from '../../errors.ts';
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

/** The list of a new project. @throws CodedError INVALID_REQUEST */
export function newPeople(
  limits: PlanLimits,
  { access, ...chosen }: ChosenPeople & { access: Access },
): PeopleList | undefined {
  const list = withChoices(undefined, chosen);
  if (list !== undefined) requireRoomForPeople(limits, list, 'INVALID_REQUEST');
  if (access === 'people' && (list === undefined || list.people.length === 0)) {
    throw peopleMissing('INVALID_REQUEST');
  }
  return list;
}

/** The project's list with these changes; undefined where none is sent. @throws CodedError VALIDATION_FAILED */
export async function changedPeople(
  deps: Pick<PeopleDeps, 'visitors'>,
  { project, limits }: { project: Project; limits: PlanLimits },
  chosen: ChosenPeople,
): Promise<PeopleList | undefined> {
  if (chosen.people === undefined && chosen.deniedPeople === undefined) return undefined;
  const list = withChoices(await peopleOf(deps, project), chosen);
  if (list !== undefined && chosen.people !== undefined) {
    requireRoomForPeople(limits, list, 'VALIDATION_FAILED');
  }
  return list;
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

/** @throws CodedError */
export function requireRoomForPeople(
  { maxPeople }: Pick<PlanLimits, 'maxPeople'>,
  { people }: PeopleList,
  code: BadFields,
): void {
  if (maxPeople === -1 || people.length <= maxPeople) return;
  throw refusal(code, 'people', `may have at most ${maxPeople} entries on your plan`, {
    nextStep: 'Shorten the list, or use one entry for a whole domain, such as `@example.com`.',
  });
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

import type { AccountCaller } from '../../../core/caller.ts';
import { quoted } from '../../../core/content/safe-path.ts';
import { CodedError } from '../../../core/errors.ts';
import { getProject } from '../../../core/projects/project-view.ts';
import { services } from '../services.ts';
import { Question, type ToolUser } from '../tool-user.ts';

/**
 * Asks the person to confirm that a project is deleted, if their client can. The question's key
 * contains the project's id, so an answer about another project does not count.
 * @throws Question; CodedError NOT_FOUND; FORBIDDEN if they did not confirm
 */
export async function confirmDeletion(
  caller: AccountCaller,
  projectId: string,
  user: ToolUser,
): Promise<void> {
  if (!user.canAnswer) return;
  const key = `delete ${projectId}`;
  const answer = user.answerTo(key);
  if (answer === undefined) {
    const { title, url } = await getProject(services(), caller, { projectId });
    throw new Question(
      key,
      `Delete the project ${quoted(title)} at ${url}? It goes offline at once.`,
      { name: 'confirmed', title: 'Delete it', type: 'boolean' },
    );
  }
  if (answer?.['confirmed'] === true) return;
  throw new CodedError('FORBIDDEN', {
    error: 'The user did not confirm that the project is to be deleted. Nothing was deleted.',
    nextStep:
      'Ask the user what to do instead: update_project_settings with `status: private` unpublishes the project and keeps it.',
  });
}

const homePage = 'home page';
const field = 'path';
/** A form with more choices helps nobody. */
const maxPages = 100;

/** The path that the person chose, if they were asked. */
export function chosenHomePage(user: ToolUser): string | undefined {
  const path = user.answerTo(homePage)?.[field];
  return typeof path === 'string' ? path : undefined;
}

/**
 * A `catch` handler: if the client can ask, it asks once which file of a ZIP is the home page. It
 * rethrows all other errors.
 */
export function askForHomePage(user: ToolUser) {
  return (error: unknown): never => {
    const isAnswered = user.answerTo(homePage) !== undefined;
    const paths = error instanceof CodedError ? error.body['htmlPaths'] : undefined;
    if (!user.canAnswer || isAnswered || !isChoice(paths)) throw error;
    const message = 'The ZIP has several HTML files. Which one is the home page?';
    throw new Question(homePage, message, {
      name: field,
      title: 'Home page',
      type: 'string',
      enum: paths,
    });
  };
}

function isChoice(paths: unknown): paths is string[] {
  return Array.isArray(paths) && paths.length > 0 && paths.length <= maxPages;
}

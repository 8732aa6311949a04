import { type ErrorCode, errorCatalogue, errorCodes } from '../errors.ts';
import { exampleAnswer } from '../openapi/responses.ts';
import { groupBy } from '../openapi/group-by.ts';
import type { Operation } from '../operation.ts';
import { operationGroups } from '../operation-groups.ts';
import type { PlanLimits } from '../plans.ts';
import { generatedGuides, referencePages } from './guides.ts';
import { plansText, temporaryText, type TemporaryLimits } from './limits-text.ts';
import { operationText } from './operation-text.ts';
import { rules, waysToStart } from './rules-text.ts';

/** Values of the installation that the documentation and `llms.txt` contain. */
export interface GuideOptions {
  brand: string;
  baseUrl: string;
  plans: Readonly<Record<string, PlanLimits>>;
  temporary: TemporaryLimits;
}

/** The generated pages of the documentation as Markdown, by slug. */
export function generatedTexts(
  options: GuideOptions,
  operations: readonly Operation[],
): Map<string, string> {
  const { api, errors, limits } = generatedGuides;
  return new Map([
    [limits.slug, limitsPage(options)],
    [errors.slug, errorsPage()],
    [api.slug, apiPage(options)],
    ...referencePages.map(({ slug }): [string, string] => [
      slug,
      groupPage(
        options.baseUrl,
        operations.filter(({ group }) => slug.endsWith(`/${group}`)),
      ),
    ]),
  ]);
}

function limitsPage({ plans, temporary }: GuideOptions): string {
  return [
    `# ${generatedGuides.limits.title}`,
    '`GET /v1/user` shows the limits of your plan and your usage.',
    `## Without an account\n\n${temporaryText(temporary)}`,
    `## Plans\n\nOnly active projects count; archived ones do not. -1 means unlimited. Sizes are in bytes. An account on \`free\` has the \`pro\` plan during its trial.\n\n${plansText(plans)}`,
    '## Number of requests\n\nResponses show the strictest limit in `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset` (seconds). After status 429, wait for the seconds in `Retry-After`.',
  ].join('\n\n');
}

function errorsPage(): string {
  const byStatus = [...groupBy(errorCodes, (code) => errorCatalogue[code].status)].toSorted(
    ([a], [b]) => a - b,
  );
  return [
    `# ${generatedGuides.errors.title}`,
    'Every error is JSON with `status: "error"`, a sentence in `error`, a stable `code`, and `nextStep`, which says what to do. Follow the `nextStep` of the response. The list below has the usual one for each code.',
    ...byStatus.map(([status, codes]) =>
      [`## Status ${status}`, ...codes.map(errorText)].join('\n\n'),
    ),
  ].join('\n\n');
}

function errorText(code: ErrorCode): string {
  return `### ${code}\n\n${errorCatalogue[code].nextStep}`;
}

function apiPage({ baseUrl }: GuideOptions): string {
  const pages = referencePages.map(
    ({ slug, title, summary }) => `- [${title}](/docs/${slug}): ${summary}`,
  );
  return [
    `# ${generatedGuides.api.title}`,
    `Base URL: \`${baseUrl}\`. Programs read [openapi.json](/openapi.json) (OpenAPI 3.1); agents read [llms.txt](/llms.txt), or everything at once in [llms-full.txt](/llms-full.txt).`,
    `## Operations\n\n${pages.join('\n')}`,
    waysToStart,
    rules,
  ].join('\n\n');
}

function groupPage(baseUrl: string, operations: readonly Operation[]): string {
  const { title, description } = operationGroups[operations[0]?.group ?? 'system'];
  return [`# ${title}`, description, ...operations.map((one) => reference(baseUrl, one))].join(
    '\n\n',
  );
}

/** One operation with links to its errors, and the response to its example command. */
function reference(baseUrl: string, operation: Operation): string {
  const text = operationText(baseUrl, operation)
    .replace(/^### /, '## ')
    .replaceAll(
      /(?<=^Errors: .*)\b([A-Z][A-Z_]+) \((\d{3})\)/gm,
      (_, code: string, status: string) =>
        `[${code}](/docs/${generatedGuides.errors.slug}#${code.toLowerCase()}) (${status})`,
    );
  if (operation.mediaTypes !== undefined) return text;
  const answer = JSON.stringify(exampleAnswer(operation), null, 2);
  return `${text}\n\n\`\`\`json\n${answer}\n\`\`\``;
}

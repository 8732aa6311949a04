import { errorCatalogue, errorCodes } from './errors.ts';
import { plansText, temporaryText, type TemporaryLimits } from './llms/limits-text.ts';
import { mcpText } from './llms/mcp-text.ts';
import { operationText } from './llms/operation-text.ts';
import type { Operation } from './operation.ts';
import type { PlanLimits } from './plans.ts';
import { tools } from './tools.ts';

/** What a guide says beside the operations. */
export interface Guided {
  brand: string;
  baseUrl: string;
  plans: Readonly<Record<string, PlanLimits>>;
  temporary: TemporaryLimits;
}

/** `llms.txt`: everything that a program needs to publish, claim and manage, in one text. */
export function llmsText(guided: Guided, operations: readonly Operation[]): string {
  const { brand, baseUrl, plans, temporary } = guided;
  const sections = [
    `# ${brand}`,
    `> Send files, several files with their folders, or one ZIP; get a link. Base URL: ${baseUrl}. The same as OpenAPI: ${baseUrl}/openapi.json`,
    ways,
    rules,
    mcpText(baseUrl, tools),
    `## Limits without an account\n\n${temporaryText(temporary)}`,
    `## Plans\n\nOnly active projects count; -1 is unlimited. A new account is \`pro\` for its trial.\n\n${plansText(plans)}`,
    '## Operations',
    ...operations.map((operation) => operationText(baseUrl, operation)),
    `## Errors\n\nWhat to do next, by \`code\`; the answer's own \`nextStep\` counts.\n\n${errorList()}`,
  ];
  return `${sections.join('\n\n')}\n`;
}

const ways = `## Choose a way in

1. You have an API key: send it as \`Authorization: Bearer <API_KEY>\`. \`GET /v1/auth/session\` says whether it works. Do not sign in again while it does.
2. You have no key and a link is enough: \`POST /v1/projects/temp\`. It is live at once and ends by itself. Show the user \`url\` and \`claimUrl\`: at \`claimUrl\` they sign in and keep it.
3. You have no key and the user wants to keep or manage projects:
   - \`POST /v1/auth/otp/request\` with their e-mail address. No account is needed beforehand.
   - Ask the user for the six digits of the e-mail.
   - \`POST /v1/auth/otp/verify\` with address, digits and the \`attemptToken\` of the first answer. Save \`apiKey\`: it is shown only once.
   - \`POST /v1/projects\` publishes; \`POST /v1/projects/claim/{claimToken}\` keeps a temporary project (\`claimToken\` is in the answer that published it); \`GET /v1/projects\` lists, \`GET /v1/user\` says what is left of the plan.`;

const rules = `## Rules

- An error is JSON \`{"status":"error","error":"…","code":"…","nextStep":"…"}\`, with more fields for some codes. Do what \`nextStep\` says and nothing else.
- After \`OTP_INVALID\` ask for the digits again; do not request a new code.
- After 429 wait \`retryAfterSeconds\` (also in \`Retry-After\`). \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` (seconds) tell how much is left.
- A write may carry \`Idempotency-Key: <text of your own>\`: for 24 hours the same request with the same key gets the same answer and does nothing twice. Use it whenever you may have to retry.
- A ZIP without HTML is a list of files; with one HTML file that one is the home page; with several, name it in \`zipIndexHtmlPath\`. Files with folders: give each part its path as file name.
- Every answer has \`X-Request-Id\`; quote it when you report a problem.
- Instants are ISO 8601 in UTC. Sizes are bytes.`;

function errorList(): string {
  return errorCodes
    .map((code) => `- ${code} (${errorCatalogue[code].status}): ${errorCatalogue[code].nextStep}`)
    .join('\n');
}

import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { closeDeployments, comment, deploy, pullRequestOf } from './github.mjs';

const { env } = process;
const event = existsSync(env.GITHUB_EVENT_PATH ?? '')
  ? JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, 'utf8'))
  : {};

/** A refusal of the command, or of this step. */
class Refusal extends Error {
  constructor({ error, next = '', code = '' }) {
    super(`${error} ${next}`.trim());
    this.code = code;
  }
}

/**
 * The variables that the command gets: not the token of GitHub and not those of the runner. It gets the ones for a
 * token of this job only where a trusted publisher needs it.
 */
function commandEnv() {
  const isSecret = (name) =>
    name === 'GITHUB_TOKEN' ||
    (name.startsWith('ACTIONS_') &&
      (!env.SLIPWAY_PUBLISHER || !name.startsWith('ACTIONS_ID_TOKEN_REQUEST_')));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isSecret(name)));
}

/** Runs the command of the installation; its answer. Progress and advice go to the log. */
function slipway(...args) {
  return new Promise((resolve, reject) => {
    const command = spawn('npx', ['--yes', `${env.SLIPWAY_URL}/cli.tgz`, ...args, '--json'], {
      env: commandEnv(),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let answer = '';
    command.stdout.on('data', (part) => (answer += part));
    command.on('error', reject);
    command.on('close', (code) => {
      if (code === 0) resolve(JSON.parse(answer));
      else
        reject(
          new Refusal(
            answer.startsWith('{') ? JSON.parse(answer) : { error: `npx ended with ${code}.` },
          ),
        );
    });
  });
}

/** The name of the preview: of a pull request, else of the branch; undefined for what becomes live. */
function previewName(pull) {
  const wanted = env.PUBLISH_PREVIEW ?? 'auto';
  if (wanted === 'false' || (wanted === 'auto' && pull === undefined)) return undefined;
  if (pull !== undefined) return `pr-${pull.number}`;
  const words = (env.GITHUB_REF_NAME ?? '').toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return `branch-${words.join('-')}`.slice(0, 30).replace(/-$/, '');
}

/** The project: named by an input, by `.slipway/project.json`, or the one that has the title of this repository. */
async function findProject(title) {
  if (env.PUBLISH_PROJECT) return env.PUBLISH_PROJECT;
  if (existsSync('.slipway/project.json')) {
    const { service, projectId } = JSON.parse(readFileSync('.slipway/project.json', 'utf8'));
    // The file may hold settings alone, or the project of another installation.
    if (service === new URL(env.SLIPWAY_URL).origin) return projectId;
  }
  const { projects } = await slipway('list');
  const found = projects.filter((project) => project.title === title);
  if (found.length > 1) {
    throw new Refusal({
      error: `${found.length} projects have the title ${title}.`,
      next: 'Set `project-id`.',
    });
  }
  return found[0]?.id;
}

function publish({ name, projectId, title }) {
  const { PUBLISH_FOLDER: folder, PUBLISH_ACCESS: access } = env;
  if (projectId === undefined && name !== undefined) {
    throw new Refusal({
      error: `No project has the title ${title} yet.`,
      next: 'The first run outside of a pull request makes it; or set `project-id`.',
    });
  }
  const place = projectId === undefined ? ['--new', '--title', title] : ['--project', projectId];
  const preview = name === undefined ? [] : ['--preview', name];
  const open = name !== undefined && access === 'public' ? ['--access', 'public'] : [];
  return slipway('publish', folder, ...place, ...preview, ...open);
}

/** Ends the preview of a pull request that was closed. */
async function close({ name, projectId, pull }) {
  try {
    if (projectId !== undefined) await slipway('previews', 'rm', name, '--project', projectId);
  } catch (error) {
    if (error.code !== 'NOT_FOUND') throw error;
  }
  await told(() => comment(pull, name, 'The preview has ended.', { isNew: false }));
  await told(() => closeDeployments(name));
  output({ url: '', 'project-id': projectId ?? '', 'preview-url': '' });
}

/** What people read about a preview, in the comment and in the summary. */
function describe({ url, sent, expiresAt, warnings }, commit) {
  const files = `${sent.files} ${sent.files === 1 ? 'file' : 'files'}, ${sent.bytes} bytes`;
  const what = sent.files === 0 ? `No change with ${commit}.` : `${commit}: ${files}.`;
  const notes = warnings.length === 0 ? '' : ` The run lists ${warnings.length} notes.`;
  return `**Preview:** ${url}\n\n${what}${notes} It ends ${expiresAt}.`;
}

/** What GitHub does not let this step do is a warning: the site is published. */
async function told(call) {
  try {
    await call();
  } catch (error) {
    log('warning', error.message);
  }
}

/** A workflow command: GitHub reads `%`, CR and LF in it as escapes. */
function log(level, text) {
  const escaped = text.replace(/[%\r\n]/g, (one) => encodeURIComponent(one));
  process.stdout.write(`::${level}::${escaped}\n`);
}

function output(values) {
  const lines = Object.entries(values).map(([name, value]) => `${name}=${value}\n`);
  appendFileSync(env.GITHUB_OUTPUT, lines.join(''));
}

async function run() {
  if (!env.SLIPWAY_KEY && !env.SLIPWAY_PUBLISHER) {
    throw new Refusal({
      error: 'The inputs `publisher` and `key` are empty.',
      next: 'Pull requests from forks get no secrets: docs/ci.md has two workflows for them.',
    });
  }
  const pull = await pullRequestOf(event);
  const name = previewName(pull);
  const title = env.PUBLISH_TITLE || env.GITHUB_REPOSITORY || 'A site';
  const projectId = await findProject(title);
  if (event.action === 'closed' && pull !== undefined) {
    await close({ name: `pr-${pull.number}`, projectId, pull });
    return;
  }
  const result = await publish({ name, projectId, title });
  for (const { message } of result.warnings) log('warning', message);
  if (name === undefined) tell(`**Published:** ${result.url}`, result, '');
  else await tellOfPreview(name, pull, result);
}

async function tellOfPreview(name, pull, result) {
  const commit = (pull?.sha ?? env.GITHUB_SHA ?? '').slice(0, 7);
  const text = describe(result, commit);
  tell(text, result, result.url);
  if (pull === undefined) return;
  await told(() => comment(pull, name, text, { isNew: true }));
  if (result.sent.files > 0) await told(() => deploy(pull.sha, name, result.url));
}

/** The summary and the outputs of the run. */
function tell(summary, { url, projectId }, preview) {
  appendFileSync(env.GITHUB_STEP_SUMMARY, `${summary}\n`);
  output({ url, 'project-id': projectId, 'preview-url': preview });
}

try {
  await run();
} catch (error) {
  log('error', error.message);
  process.exitCode = 1;
}

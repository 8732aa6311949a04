import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';

const script = path.resolve('.github/actions/publish/publish.mjs');
const answer = {
  url: 'https://x.test',
  projectId: 'p',
  projects: [{ id: 'of-the-title', title: 'octo/site' }],
  warnings: [],
  sent: { files: 0, bytes: 0 },
};
const tokens = {
  GITHUB_TOKEN: 'of-github',
  ACTIONS_RUNTIME_TOKEN: 'of-the-runner',
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-the-job',
};

interface Run {
  inputs: Record<string, string>;
  /** What `.slipway/project.json` of the repository holds. */
  project?: object;
}

/** What the commands of a run of the action get: their arguments, and the tokens among their variables. */
function commandsOf({ inputs, project }: Run) {
  const folder = mkdtempSync(path.join(tmpdir(), 'slipway-action-'));
  try {
    const seen = path.join(folder, 'seen');
    const calls = path.join(folder, 'calls');
    const npx = `#!/bin/sh\nenv > '${seen}'\necho "$@" >> '${calls}'\necho '${JSON.stringify(answer)}'\n`;
    writeFileSync(path.join(folder, 'npx'), npx, { mode: 0o755 });
    if (project !== undefined) {
      mkdirSync(path.join(folder, '.slipway'));
      writeFileSync(path.join(folder, '.slipway', 'project.json'), JSON.stringify(project));
    }
    const outputs = { GITHUB_OUTPUT: `${folder}/output`, GITHUB_STEP_SUMMARY: `${folder}/summary` };
    const publish = { PUBLISH_FOLDER: 'dist', PUBLISH_PREVIEW: 'false' };
    const PATH = `${folder}:${process.env['PATH'] ?? ''}`;
    const env = {
      PATH,
      SLIPWAY_URL: 'https://x.test',
      GITHUB_REPOSITORY: 'octo/site',
      ...outputs,
      ...publish,
      ...tokens,
      ...inputs,
    };
    execFileSync(process.execPath, [script], { cwd: folder, env });
    const all = readFileSync(seen, 'utf8');
    expect(all).toContain('SLIPWAY_URL=https://x.test');
    return {
      calls: readFileSync(calls, 'utf8').trimEnd().split('\n'),
      tokens: Object.values(tokens).filter((token) => all.includes(token)),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('the command of the action gets the token of the job only with a trusted publisher, and no other', () => {
  const tokensOf = (inputs: Record<string, string>) =>
    commandsOf({ inputs: { PUBLISH_PROJECT: 'p', ...inputs } }).tokens;
  expect(tokensOf({ SLIPWAY_KEY: 'key' })).toEqual([]);
  expect(tokensOf({ SLIPWAY_PUBLISHER: 'id' })).toEqual(['of-the-job']);
});

const projectId = '3f0c6d52-8b1e-4f0a-9a57-2f6d1c9e7b10';

test.each([
  ['names the project', { service: 'https://x.test', projectId, spa: true }, projectId],
  ['holds settings alone', { spa: true }, 'of-the-title'],
  ['is of another installation', { service: 'https://y.test', projectId }, 'of-the-title'],
])('a project file that %s never makes another project per run', (_, project, expected) => {
  const { calls } = commandsOf({ inputs: { SLIPWAY_KEY: 'key' }, project });
  expect(calls.at(-1)).toContain(`publish dist --project ${expected} --json`);
});

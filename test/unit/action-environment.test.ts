import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';

const script = path.resolve('.github/actions/publish/publish.mjs');
const answer = {
  url: 'https://x.test',
  projectId: 'p',
  warnings: [],
  sent: { files: 0, bytes: 0 },
};
const tokens = {
  GITHUB_TOKEN: 'of-github',
  ACTIONS_RUNTIME_TOKEN: 'of-the-runner',
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-the-job',
};

/** The tokens that the command of a run of the action gets. */
function tokensOf(inputs: Record<string, string>): string[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'slipway-action-'));
  try {
    const seen = path.join(folder, 'seen');
    const npx = `#!/bin/sh\nenv > '${seen}'\necho '${JSON.stringify(answer)}'\n`;
    writeFileSync(path.join(folder, 'npx'), npx, { mode: 0o755 });
    const outputs = { GITHUB_OUTPUT: `${folder}/output`, GITHUB_STEP_SUMMARY: `${folder}/summary` };
    const publish = { PUBLISH_PROJECT: 'p', PUBLISH_FOLDER: 'dist', PUBLISH_PREVIEW: 'false' };
    const PATH = `${folder}:${process.env['PATH'] ?? ''}`;
    const env = {
      PATH,
      SLIPWAY_URL: 'https://x.test',
      ...outputs,
      ...publish,
      ...tokens,
      ...inputs,
    };
    execFileSync(process.execPath, [script], { cwd: folder, env });
    const all = readFileSync(seen, 'utf8');
    expect(all).toContain('SLIPWAY_URL=https://x.test');
    return Object.values(tokens).filter((token) => all.includes(token));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('the command of the action gets the token of the job only with a trusted publisher, and no other', () => {
  expect(tokensOf({ SLIPWAY_KEY: 'key' })).toEqual([]);
  expect(tokensOf({ SLIPWAY_PUBLISHER: 'id' })).toEqual(['of-the-job']);
});

import { tools } from '../../../contract/tools.ts';
import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, isLocal } from '../../fixtures/clouds/client.ts';
import { bothEras, toolsOf } from '../../fixtures/agents/both-eras.ts';
import { open } from '../../fixtures/visits/opens.ts';
import { expectNoSite } from '../../fixtures/projects/projects.ts';

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;

local.each(bothEras)('an agent with %s', (_, connect) => {
  test('publishes, edits, reads analytics, moves and deletes, over MCP only', async () => {
    const client = await connect(await signIn());
    const use = toolsOf(client);
    expect(client.getServerVersion()?.name).toBe('slipway');
    expect((await client.listTools()).tools).toHaveLength(tools.length);

    const page = '<!doctype html><title>Survey</title><link rel="stylesheet" href="app.css">';
    const files = [
      { path: 'index.html', content: page },
      { path: 'app.css', content: 'body{}' },
    ];
    const published = await use('publish_site', { title: 'Survey', files });
    const { projectId, url } = published;
    expect(published).toMatchObject({ version: 1, files: 2, bytes: page.length + 6 });
    expect((await ask(`${url}/app.css`)).text).toBe('body{}');

    const css = 'body{color:navy}';
    const edit = [{ path: 'app.css', content: css }];
    const edited = await use('update_project_files', {
      projectId,
      files: edit,
      expectedVersion: 1,
    });
    const sha256 = createHash('sha256').update(css).digest('hex');
    expect(edited).toMatchObject({ projectId, url, version: 2, files: 2, sha256 });
    expect((await ask(`${url}/app.css`)).text).toBe(css);
    expect((await ask(url)).text).toContain('Survey');

    await open(url);
    const counted = await until(
      () => use('get_link_opens', { projectId }),
      ({ opens }) => opens.total > 0,
    );
    expect(counted).toMatchObject({
      projectId,
      opens: { total: 1 },
      recentOpens: [{ device: 'desktop' }],
    });

    const changed = await use('update_project_settings', {
      projectId,
      access: 'password',
      password: 'geheim',
    });
    expect(changed).toMatchObject({ updated: true, project: { url, access: 'password' } });
    expect((await ask(url)).status).toBe(401);

    const refused = await client.callTool({
      name: 'update_project_files',
      arguments: { projectId },
    });
    expect(refused.isError).toBe(true);
    expect(refused.content[0].text).toContain('Next: ');

    expect(await use('delete_project', { projectId })).toEqual({ deleted: true, projectId });
    await expectNoSite(url);
    expect(await use('list_projects', {})).toEqual({ projects: [], nextCursor: null });
    await client.close();
  });
});

/** Opens are counted from a queue, a moment later. */
async function until<T>(ask: () => Promise<T>, isDone: (value: T) => boolean): Promise<T> {
  for (let count = 1; count < 100; count += 1) {
    const value = await ask();
    if (isDone(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return ask();
}

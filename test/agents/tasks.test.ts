import { beforeAll, describe, expect, test } from '@jest/globals';
import { signIn } from '../fixtures/accounts/accounts.ts';
import { called, postMcp, rpc } from '../fixtures/agents/mcp.ts';
import { isLocal } from '../fixtures/clouds/client.ts';
import { solve } from './solver.ts';
import { existing, type ListedTool, type Task, tasks } from './tasks.ts';

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;
let key = '';
let listed: ListedTool[] = [];
beforeAll(async () => {
  if (!isLocal) return;
  key = await signIn();
  listed = (await postMcp(rpc('tools/list'), { apiKey: key })).json.result.tools;
  for (const project of existing) await called(key, 'publish_site', project);
});

/** Every argument of a call, also inside of lists, is described with an example. */
function expectDescribed({ tool, args }: { tool: string; args: Record<string, any> }): void {
  const { properties } = listed.find(({ name }) => name === tool)?.inputSchema ?? {
    properties: {},
  };
  for (const [name, value] of Object.entries(args)) {
    if (value === undefined) continue;
    expect([name, properties[name]?.description]).toEqual([
      name,
      expect.stringMatching(/example/i),
    ]);
    for (const field of Object.keys(Array.isArray(value) ? Object(value[0]) : {})) {
      if (typeof value[0] !== 'object') continue;
      const described = properties[name]?.items?.properties[field]?.description;
      expect([field, described]).toEqual([field, expect.stringMatching(/example/i)]);
    }
  }
}

local('thirty-five tasks, solved by tools/list and the texts of errors alone', () => {
  test('there are as many, and every tool is used', () => {
    expect(tasks).toHaveLength(35);
    const used = new Set(tasks.flatMap(({ calls }) => calls));
    expect([...used].toSorted()).toEqual(listed.map(({ name }) => name).toSorted());
    expect(tasks.reduce((sum, { calls }) => sum + calls.length, 0)).toBe(72);
  });

  test.each(tasks.map((task) => [task.words, task] as [string, Task]))('%s', async (_, task) => {
    const { calls, args, result } = await solve(key, listed, task);
    expect(calls).toEqual(task.calls);
    expect(result.structuredContent).toMatchObject(task.gives ?? {});
    expectDescribed({ tool: calls.at(-1) ?? '', args });
  });
});

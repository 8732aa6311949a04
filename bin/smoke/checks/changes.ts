import * as z from 'zod';
import type { Check } from '../check.ts';
import { expectJson, expectStatus, expectText, expectThat } from '../expectations.ts';
import { formOf, jsonBody } from '../http-client.ts';
import { siteFiles, type SmokeStage } from '../smoke-stage.ts';

const projectPath = (projectId: string) => `/v1/projects/${projectId}`;

/** Publishes a site and requests an asset until the edge has it. */
async function siteWithCachedAsset(stage: SmokeStage) {
  const { projectId, url } = await stage.publish(siteFiles);
  const asset = `${url}/style.css`;
  for (let visit = 0; visit < 3; visit += 1) expectStatus(await stage.send(asset), 200);
  return { projectId, url, asset };
}

async function setStatus(stage: SmokeStage, projectId: string, status: string): Promise<void> {
  const request = jsonBody({ status }, 'PATCH');
  expectStatus(await stage.sendWithKey(projectPath(projectId), request), 200);
}

const unpublish: Check = {
  name: 'unpublish',
  why: 'What its owner took back stays visible until the edge forgets it.',
  needs: 'key',
  async run(stage) {
    const { projectId, asset } = await siteWithCachedAsset(stage);
    await setStatus(stage, projectId, 'private');
    await stage.eventually(async () => expectStatus(await stage.send(asset), 404));
    // An error that the edge keeps would hide the site after it is public again.
    await setStatus(stage, projectId, 'public');
    await stage.eventually(async () => expectStatus(await stage.send(asset), 200));
  },
};

const newFile: Check = {
  name: 'new-file',
  why: 'A file that was requested before it existed stays missing.',
  needs: 'key',
  async run(stage) {
    const { projectId, url, asset } = await siteWithCachedAsset(stage);
    for (let visit = 0; visit < 2; visit += 1) {
      expectStatus(await stage.send(`${url}/later.txt`), 404);
    }
    const files = { ...siteFiles, 'later.txt': 'now there', 'style.css': 'body{color:#654321}' };
    const push = await formOf({}, files);
    const request = { method: 'PUT', ...push };
    expectStatus(await stage.sendWithKey(projectPath(projectId), request), 200);
    await stage.eventually(async () => {
      expectText(expectStatus(await stage.send(`${url}/later.txt`), 200), 'now there');
      expectText(expectStatus(await stage.send(asset), 200), '#654321');
    });
  },
};

const deleted: Check = {
  name: 'delete',
  why: 'Deleted files stay visible until the edge forgets them.',
  needs: 'key',
  async run(stage) {
    const { projectId, asset, url } = await siteWithCachedAsset(stage);
    const answer = await stage.sendWithKey(projectPath(projectId), { method: 'DELETE' });
    expectStatus(answer, 200);
    await stage.eventually(async () => {
      expectStatus(await stage.send(asset), 404);
      expectStatus(await stage.send(`${url}/`), 404);
    });
  },
};

const Figures = z.object({ data: z.object({ visits: z.object({ total: z.int() }) }) });
const simultaneous = 20;

/** What a browser sends when a person opens a page. */
const navigation = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
  'sec-fetch-site': 'none',
};

const countedVisits: Check = {
  name: 'counted-visits',
  why: 'The statistics and the visits of a plan are wrong.',
  needs: 'key',
  async run(stage) {
    const { projectId, url } = await stage.publish(siteFiles);
    const view = (more: Record<string, string> = {}, method = 'GET') =>
      stage.send(`${url}/`, { method, headers: { ...navigation, ...more } });
    expectStatus(await view(), 200);
    // Neither is a page view.
    expectStatus(await view({}, 'HEAD'), 200);
    expectStatus(await view({ range: 'bytes=0-3' }), 206);
    await Promise.all(Array.from({ length: simultaneous }, () => view()));
    const visits = 1 + simultaneous;
    const total = await stage.eventually(async () => {
      const answer = await stage.sendWithKey(`${projectPath(projectId)}/analytics`);
      const figures = expectJson(expectStatus(answer, 200), Figures).data;
      const isCounted = figures.visits.total >= visits;
      expectThat(isCounted, `of ${visits} visits ${figures.visits.total} are counted`);
      return figures.visits.total;
    });
    expectThat(total === visits, `${visits} visits are counted as ${total}`);
  },
};

/** Changes of a project, and what the edge makes of them. */
export const changeChecks: readonly Check[] = [unpublish, newFile, deleted, countedVisits];
